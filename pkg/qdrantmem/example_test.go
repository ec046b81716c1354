package qdrantmem_test

import (
	"context"
	"fmt"

	"github.com/qdrant/go-client/qdrant"

	"github.com/mnemond/mnemond/pkg/qdrantmem"
)

func Example() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	engine := qdrantmem.New()
	ended := make(chan error)
	go func() { ended <- engine.Run(ctx) }()

	client, err := qdrant.NewClient(&qdrant.Config{
		Host: "passthrough:///qdrantmem", Port: 1, PoolSize: 1, SkipCompatibilityCheck: true, GrpcOptions: engine.DialOptions(),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = client.CreateCollection(ctx, &qdrant.CreateCollection{
		CollectionName: "memories",
		VectorsConfig:  qdrant.NewVectorsConfig(&qdrant.VectorParams{Size: 2, Distance: qdrant.Distance_Cosine}),
	})
	fmt.Println(err)
	_, err = client.Count(ctx, &qdrant.CountPoints{CollectionName: "memory"})
	fmt.Println(err)

	fmt.Println(client.Close())
	cancel()
	fmt.Println(<-ended)
	// Output:
	// <nil>
	// Count() failed: memory: rpc error: code = NotFound desc = Not found: Collection `memory` doesn't exist!
	// <nil>
	// <nil>
}
