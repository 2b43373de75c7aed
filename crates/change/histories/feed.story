kind feed
media application/rss+xml
<?xml version="1.0"?><rss version="2.0"><channel><title>Courier</title>
<lastBuildDate>{built}</lastBuildDate><link>https://courier.example/</link><description>News</description>
{items}</channel></rss>
-- looks --
first built="Mon, 02 Mar 2026 09:00:00 GMT" items="<item><guid>3</guid><title>Tram line opens</title><link>https://courier.example/3</link><description>On Monday.</description></item><item><guid>2</guid><title>Rain</title><link>https://courier.example/2</link><description>All week.</description></item><item><guid>1</guid><title>Old cinema sold</title><link>https://courier.example/1</link><description>To nobody.</description></item>"
equal built="Mon, 02 Mar 2026 09:10:00 GMT"
equal items="<item><guid>2</guid><title>Rain</title><link>https://courier.example/2</link><description>All week.</description></item><item><guid>3</guid><title>Tram line opens</title><link>https://courier.example/3</link><description>On Monday.</description></item><item><guid>1</guid><title>Old cinema sold</title><link>https://courier.example/1</link><description>To nobody.</description></item>"
noise items="<item><guid>3</guid><title>Tram line opens</title><link>https://courier.example/3</link><description>On Monday.</description></item><item><guid>2</guid><title>Rain</title><link>https://courier.example/2</link><description>All week.</description></item>"
wanted items="<item><guid>4</guid><title>Fire in the market</title><link>https://courier.example/4</link><description>Nobody hurt.</description></item><item><guid>3</guid><title>Tram line opens</title><link>https://courier.example/3</link><description>On Monday.</description></item>"
wanted items="<item><guid>4</guid><title>Fire in the market</title><link>https://courier.example/4</link><description>Two people hurt.</description></item><item><guid>3</guid><title>Tram line opens</title><link>https://courier.example/3</link><description>On Monday.</description></item>"
equal built="Mon, 02 Mar 2026 12:10:00 GMT"
noise items="<item><guid>4</guid><title>Fire in the market</title><link>https://courier.example/4</link><description>Two people hurt.</description></item>"
wanted items="<item><guid>5</guid><title>Ferry strike</title><link>https://courier.example/5</link><description>From Friday.</description></item><item><guid>4</guid><title>Fire in the market</title><link>https://courier.example/4</link><description>Two people hurt.</description></item>"
