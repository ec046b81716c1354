package bench

import (
	"math/rand/v2"
	"strings"
)

// The words of the population are ranked: the first ones are everyday words, those after them
// are made of syllables, in Chinese of characters, so that there are as many as a language
// has. They are drawn by Zipf's law: a few in every other memory, most in hardly any.
const (
	vocabularySize = 60_000
	zipfExponent   = 1.05
	zipfOffset     = 8
)

var (
	englishWords = strings.Fields(`
tea coffee chess jazz garden kitchen piano bridge river mountain harbour library museum theatre market bakery bicycle camera
budget invoice contract server database compiler gateway kernel parser scheduler dashboard release pipeline cluster backup
marathon climbing sailing tennis badminton swimming pottery calligraphy photography astronomy origami carpentry welding
noodles dumplings cheese olives almonds ginger mango lobster mushroom pepper honey vinegar cinnamon spinach pumpkin walnut
insurance passport visa mortgage pension lease tuition scholarship dentist physio therapy surgery vaccine pollen asthma
violin cello drums opera ballet sculpture novel poetry comics podcast lantern candle carpet curtain sofa balcony attic`)
	chineseWords = strings.Fields(`
绿茶 咖啡 象棋 爵士乐 花园 厨房 钢琴 大桥 河边 雪山 码头 图书馆 博物馆 剧院 集市 面包房 自行车 相机
预算 发票 合同 服务器 数据库 编译器 网关 内核 解析器 调度器 看板 发布 流水线 集群 备份
马拉松 攀岩 帆船 网球 羽毛球 游泳 陶艺 书法 摄影 天文 折纸 木工 焊接
面条 饺子 奶酪 橄榄 杏仁 生姜 芒果 龙虾 蘑菇 胡椒 蜂蜜 香醋 肉桂 菠菜 南瓜 核桃
保险 护照 签证 房贷 养老金 租约 学费 奖学金 牙医 理疗 手术 疫苗 花粉 哮喘
小提琴 大提琴 架子鼓 歌剧 芭蕾 雕塑 小说 诗歌 漫画 播客 灯笼 蜡烛 地毯 窗帘 沙发 阳台 阁楼`)
	syllables = strings.Fields(`
ba be bi bo bu da de di do du fa fe fi fo ga ge gi go gu ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu
pa pe pi po pu ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo za ze zi zo`)
	characters = []rune("安柏川岱恩枫冈禾江坤岚铭宁鹏琪荣松棠桐薇溪晓雅泽竹紫芸苑辰帆昊嘉洁骏楷澜琳曼楠沛晴睿珊舒涛婷雯熙轩妍怡毅寅颖宇钰源悦云蕴哲臻芝志忠卓" +
		"港湾岭坡屯塘桥湖渡垭坪洲浦滩寨镇庄堡沟崖峪泉潭岛屿峰岗关口北南西东白黑红青蓝金银铜铁玉珠丝棉麻木竹石沙土火风雨雪霜露虹星月日光影声香")
)

// word is the one of a rank, of either language.
func word(chinese bool, rank int) string {
	if chinese {
		if rank < len(chineseWords) {
			return chineseWords[rank]
		}
		return spelled(rank-len(chineseWords), characters, 2)
	}
	if rank < len(englishWords) {
		return englishWords[rank]
	}
	return spelled(rank-len(englishWords), syllables, 3)
}

// spelled writes a number with units for digits, at least so many.
func spelled[T rune | string](n int, units []T, least int) string {
	out := ""
	for i := 0; i < least || n > 0; i++ {
		out += string(units[n%len(units)])
		n /= len(units)
	}
	return out
}

// speaker draws words, each by its rank.
type speaker struct {
	*rand.Rand
	zipf *rand.Zipf
}

func newSpeaker(seeds ...uint64) *speaker {
	r := rand.New(rand.NewPCG(mixed(seeds...), mixed(append(seeds, 1)...)))
	return &speaker{Rand: r, zipf: rand.NewZipf(r, zipfExponent, zipfOffset, vocabularySize-1)}
}

// mixed makes one number of several, so that near ones lead to unlike ones (splitmix64).
func mixed(numbers ...uint64) uint64 {
	x := uint64(0)
	for _, n := range numbers {
		x += n + 0x9e3779b97f4a7c15
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		x ^= x >> 31
	}
	return x
}

func (s *speaker) word(chinese bool) string { return word(chinese, int(s.zipf.Uint64())) }
