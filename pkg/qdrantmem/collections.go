package qdrantmem

import (
	"context"

	"github.com/qdrant/go-client/qdrant"
)

// collectionsService answers the Collections service; its methods carry the API's own names.
type collectionsService struct {
	qdrant.UnimplementedCollectionsServer
	catalog *catalog
}

func (s *collectionsService) Create(_ context.Context, req *qdrant.CreateCollection) (*qdrant.CollectionOperationResponse, error) {
	c, err := newCollection(req)
	if err != nil {
		return nil, err
	}
	if err := s.catalog.create(req.GetCollectionName(), c); err != nil {
		return nil, err
	}
	return &qdrant.CollectionOperationResponse{Result: true}, nil
}

func (s *collectionsService) Update(_ context.Context, req *qdrant.UpdateCollection) (*qdrant.CollectionOperationResponse, error) {
	c, err := s.catalog.find(req.GetCollectionName())
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.reconfigure(req); err != nil {
		return nil, err
	}
	return &qdrant.CollectionOperationResponse{Result: true}, nil
}

func (s *collectionsService) Delete(_ context.Context, req *qdrant.DeleteCollection) (*qdrant.CollectionOperationResponse, error) {
	return &qdrant.CollectionOperationResponse{Result: s.catalog.drop(req.GetCollectionName())}, nil
}

func (s *collectionsService) Get(_ context.Context, req *qdrant.GetCollectionInfoRequest) (*qdrant.GetCollectionInfoResponse, error) {
	c, err := s.catalog.find(req.GetCollectionName())
	if err != nil {
		return nil, err
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	return &qdrant.GetCollectionInfoResponse{Result: c.info()}, nil
}

func (s *collectionsService) List(context.Context, *qdrant.ListCollectionsRequest) (*qdrant.ListCollectionsResponse, error) {
	out := &qdrant.ListCollectionsResponse{}
	for _, name := range s.catalog.names() {
		out.Collections = append(out.Collections, &qdrant.CollectionDescription{Name: name})
	}
	return out, nil
}

func (s *collectionsService) CollectionExists(_ context.Context, req *qdrant.CollectionExistsRequest) (*qdrant.CollectionExistsResponse, error) {
	_, err := s.catalog.find(req.GetCollectionName())
	return &qdrant.CollectionExistsResponse{Result: &qdrant.CollectionExists{Exists: err == nil}}, nil
}

func (s *collectionsService) UpdateAliases(_ context.Context, req *qdrant.ChangeAliases) (*qdrant.CollectionOperationResponse, error) {
	if err := s.catalog.changeAliases(req.GetActions()); err != nil {
		return nil, err
	}
	return &qdrant.CollectionOperationResponse{Result: true}, nil
}

func (s *collectionsService) ListAliases(context.Context, *qdrant.ListAliasesRequest) (*qdrant.ListAliasesResponse, error) {
	return &qdrant.ListAliasesResponse{Aliases: s.catalog.listAliases("")}, nil
}

func (s *collectionsService) ListCollectionAliases(_ context.Context, req *qdrant.ListCollectionAliasesRequest) (*qdrant.ListAliasesResponse, error) {
	if _, err := s.catalog.find(req.GetCollectionName()); err != nil {
		return nil, err
	}
	return &qdrant.ListAliasesResponse{Aliases: s.catalog.listAliases(req.GetCollectionName())}, nil
}
