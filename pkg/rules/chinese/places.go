package chinese

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// placesData lists place names separated by white space; lines that begin with # are
// headings.
//
//go:embed data/places.txt
var placesData string

var places = sync.OnceValue(func() map[string]bool {
	known := make(map[string]bool, 700)
	for line := range strings.Lines(placesData) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, name := range strings.Fields(line) {
			known[name] = true
		}
	}
	return known
})

// longestPlace is the length of the longest listed name, in characters.
const longestPlace = 6

// isKnownPlace reports whether the folded text is a listed place, with or without 市, 省,
// 县 or the like, or begins with one and goes on to a district of it (杭州西湖区).
func isKnownPlace(folded string) bool {
	n := placePrefix(folded)
	if n == 0 {
		return false
	}
	rest := folded[n:]
	return rest == "" || isKnownPlace(rest) || placeTail.MatchString(rest) && !notInPlace.MatchString(strings.TrimPrefix(rest, "的"))
}

var placeTail = regexp.MustCompile(`^(?:的?\p{Han}{0,6}(?:省|市|区|县|镇|乡|村|路|街道?|湾|岛|城|州|里|庄|新区|那边|这边|老家|市区|郊区)|[^的]{2}|[^的]{3})$`)

// placePrefix is the number of bytes of the longest listed place that folded begins with.
func placePrefix(folded string) int {
	best := 0
	at := 0
	for range longestPlace {
		_, size := utf8.DecodeRuneInString(folded[at:])
		if size == 0 {
			break
		}
		at += size
		if places()[folded[:at]] {
			best = at
		}
	}
	return best
}

// placeIn is the byte range of the first listed place in folded, or ok false.
func placeIn(folded string) (from, to int, ok bool) {
	for i := range folded {
		if n := placePrefix(folded[i:]); n > 0 {
			return i, i + n, true
		}
	}
	return 0, 0, false
}

// dwellings are words after 住在 and 在 that are no place a person could be asked for by
// name: buildings, rooms, and places relative to another.
var dwellings = regexp.MustCompile(`(?:服务器|电脑|手机|机房|屏幕|网络|云端|云|代码|心|梦|脑海|记忆|房子|屋)里$|^(?:校|院|店|家|学校|公司|宿舍|酒店|旅馆|民宿|宾馆|医院|这|那|附近|隔壁|对面|郊区|市区|市中心|城里|城市|乡下|农村|山上|山里|海边|外面|外地|国外|国内|海外|单位|工地|出租|别墅|公寓|一起|一|几|两|三|四|五|六|七|八|九|十|[0-9]|老|新|自己|同|离|很|比较|不|哪|谁|什么|租|朋友|亲戚|父母|爸|妈|男朋友|女朋友|同学|同事|过|得|着|了|习惯|惯|的|下|上|在|进|满|宽|豪|大|小区|地下)` +
	`|(?:附近|旁边|旁|对面|楼上|楼下|宿舍|酒店|医院|机场|火车站|高铁站|地铁站|车站|学校|公司|公寓|家里?|里面|路上|车上|飞机上|房子?|屋|院|楼|层|室|店|馆)$`)

var placeShape = regexp.MustCompile(`^(?:[\p{Han}]{2,12}|[a-z][a-z .'’-]{1,30}|[\p{Han}a-z ]{2,24})$`)

var notInPlace = regexp.MustCompile(`的|我|你|他|她|它|不|没|吗|呢|什么|怎|哪|谁|这|是|很|就|都|想|要|会|能|把|被|让|给|跟|对|说|做|工作|上班|出差|旅游|旅行|度假|开会|住|喜欢|以前|之前|时候|附近|回|来|去|玩|旅|读|教|卖|买|吃|看|飞|待|办|分公司|总部|最|更|挺|比|舒服|方便|便宜|贵$|好$|漂|打拼|奋斗|混|闯|着$`)

// isPlace reports whether the folded text can name where somebody lives or comes from.
func isPlace(folded string) bool {
	if isKnownPlace(folded) {
		return true
	}
	return placeShape.MatchString(folded) && !dwellings.MatchString(folded) && !notInPlace.MatchString(folded)
}
