import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// Somebody who may edit one namespace sends what hurts, and strangers open connections, while claims
/// and pods of others live their lives. What a life takes beside them is compared with what it takes
/// alone; no request may be answered 500.
///
///     java -cp 'build/lib/*' interop/Hostile.java HOME SECONDS RATE
///
/// HOME is that of a stack that is up. Ends with 1 if a life took more than twice its time.
final class Hostile {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MAPS = "/api/v1/namespaces/hostile/configmaps";
  private static final int LIVES_ALONE = 8;
  private static final int MOST_UNDER_WAY = 64;

  /// One body in so many is of megabytes.
  private static final int LARGE = 500;

  private final URI url;
  private final String admin;
  private final SSLContext tls;
  private final HttpClient calm;
  private final Map<String, AtomicLong> answers = new ConcurrentHashMap<>();
  private final AtomicLong sent = new AtomicLong();
  private volatile boolean over;

  private Hostile(Path home) throws Exception {
    var server = Pattern.compile("server: *\"?(https://[^\\s\"]+)");
    var found = server.matcher(Files.readString(home.resolve("kubeconfig")));
    if (!found.find()) throw new IllegalStateException("the kubeconfig names no server");
    this.url = URI.create(found.group(1));
    this.admin = Files.readString(home.resolve("pki/admin.token")).strip();
    this.tls = SSLContext.getInstance("TLS");
    tls.init(null, new TrustManager[] {new Trusting()}, null);
    this.calm = client();
  }

  /// The server is ours: it is not its certificate that is tried here.
  private static final class Trusting extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkClientTrusted(
        X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

    @Override
    public void checkServerTrusted(
        X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  private HttpClient client() {
    return HttpClient.newBuilder().sslContext(tls).version(HttpClient.Version.HTTP_2).build();
  }

  public static void main(String[] arguments) throws Exception {
    var hostile = new Hostile(Path.of(arguments[0]));
    int code = hostile.run(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
    System.exit(code);
  }

  private int run(int seconds, int rate) throws Exception {
    var token = prepare();
    life(0); // the first life compiles and loads
    var alone = lives(LIVES_ALONE, Long.MAX_VALUE);
    long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    var attack = Thread.ofPlatform().start(() -> attack(token, rate));
    var beside = lives(Integer.MAX_VALUE, end);
    over = true;
    attack.join();
    tell("alone", alone);
    tell("beside", beside);
    var counted =
        answers.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(each -> each.getKey() + " " + each.getValue())
            .collect(Collectors.joining(", "));
    System.out.printf(
        "hostile: %d requests in %d s (%d a second): %s%n",
        sent.get(), seconds, sent.get() / Math.max(1, seconds), counted);
    boolean slow = median(beside) > 2 * median(alone);
    boolean failed = answers.containsKey("500");
    if (slow) System.out.println("hostile: a life took more than twice its time");
    if (failed) System.out.println("hostile: somebody was answered 500");
    return slow || failed ? 1 : 0;
  }

  private static void tell(String how, List<Long> lives) {
    System.out.printf(
        "hostile: %s: %d lives of a claim and its pod, median %d ms, longest %d ms%n",
        how, lives.size(), median(lives), Collections.max(lives));
  }

  private static long median(List<Long> all) {
    return all.stream().sorted().toList().get(all.size() / 2);
  }

  // Those who want to be left alone.

  private HttpResponse<String> ask(String method, String path, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(url.resolve(path))
            .timeout(Duration.ofMinutes(1))
            .header("Authorization", "Bearer " + admin)
            .header("Content-Type", "application/yaml")
            .method(method, BodyPublishers.ofString(body));
    return calm.send(request.build(), BodyHandlers.ofString());
  }

  private JsonNode made(String path, String body) throws Exception {
    var answer = ask("POST", path, body);
    if (answer.statusCode() > 201 && answer.statusCode() != 409)
      throw new IllegalStateException(path + ": " + answer.body());
    return JSON.readTree(answer.body());
  }

  /// @return the token of who may edit one namespace
  private String prepare() throws Exception {
    made(
        "/apis/storage.k8s.io/v1/storageclasses",
        "{metadata: {name: calm}, provisioner: disk.berth.dev, volumeBindingMode: WaitForFirstConsumer}");
    made("/api/v1/namespaces", "{metadata: {name: hostile}}");
    made("/api/v1/namespaces/hostile/serviceaccounts", "{metadata: {name: somebody}}");
    made(MAPS, "{metadata: {name: a}, data: {x: y}}");
    made(
        "/apis/rbac.authorization.k8s.io/v1/namespaces/hostile/rolebindings",
        """
        metadata: {name: somebody}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}
        subjects: [{kind: ServiceAccount, name: somebody, namespace: hostile}]
        """);
    var token =
        made("/api/v1/namespaces/hostile/serviceaccounts/somebody/token", "{spec: {expirationSeconds: 7200}}");
    return token.path("status").path("token").asText();
  }

  private List<Long> lives(int most, long end) throws Exception {
    var times = new ArrayList<Long>();
    while (times.size() < most && System.nanoTime() < end || times.isEmpty())
      times.add(life(times.size() + 1));
    return times;
  }

  /// A claim and its pod come, run and go, and the volume with them.
  private long life(int number) throws Exception {
    var name = "life-" + number + "-" + ThreadLocalRandom.current().nextInt(1_000_000);
    var claims = "/api/v1/namespaces/default/persistentvolumeclaims";
    var pods = "/api/v1/namespaces/default/pods";
    long begin = System.nanoTime();
    made(
        claims,
        "{metadata: {name: %s}, spec: {storageClassName: calm, accessModes: [ReadWriteOnce], resources: {requests: {storage: 16Mi}}}}"
            .formatted(name));
    made(
        pods,
        """
        metadata: {name: %1$s}
        spec:
          terminationGracePeriodSeconds: 1
          containers:
          - {name: main, image: host, command: [sleep, "1000"], volumeMounts: [{name: d, mountPath: /data}]}
          volumes: [{name: d, persistentVolumeClaim: {claimName: %1$s}}]
        """
            .formatted(name));
    while (!JSON.readTree(ask("GET", pods + "/" + name, "").body()).path("status").path("phase").asText().equals("Running"))
      Thread.sleep(20);
    var claim = JSON.readTree(ask("GET", claims + "/" + name, "").body());
    var volume = "/api/v1/persistentvolumes/" + claim.path("spec").path("volumeName").asText();
    ask("DELETE", pods + "/" + name, "");
    ask("DELETE", claims + "/" + name, "");
    while (ask("GET", volume, "").statusCode() != 404) Thread.sleep(20);
    return Duration.ofNanos(System.nanoTime() - begin).toMillis();
  }

  // Those who do not.

  /// Sends so many a second, of each sort in turn by chance, and waits for nobody.
  private void attack(String token, int rate) {
    var random = new Random(1);
    var slots = new Semaphore(MOST_UNDER_WAY);
    var client = client();
    Thread.ofPlatform().daemon().start(() -> resets(token, rate / 4));
    Thread.ofPlatform().daemon().start(() -> connections(random));
    long begin = System.nanoTime();
    for (long number = 0; !over; number++) {
      long due = begin + number * 1_000_000_000L / Math.max(1, rate * 3 / 4);
      while (!over && System.nanoTime() < due) Thread.onSpinWait();
      if (!slots.tryAcquire()) {
        pause(1);
        continue;
      }
      sent.incrementAndGet();
      client
          .sendAsync(request(token, random), BodyHandlers.discarding())
          .whenComplete((answer, failed) -> {
            slots.release();
            count(failed == null ? Integer.toString(answer.statusCode()) : "cut off");
          });
    }
  }

  private void count(String answer) {
    answers.computeIfAbsent(answer, _ -> new AtomicLong()).incrementAndGet();
  }

  private HttpRequest request(String token, Random random) {
    return switch (random.nextInt(7)) {
      case 0 -> patch(token, "merge-patch", "{\"data\":{" + fields(400, "null") + "}}");
      case 1 -> patch(token, "strategic-merge-patch", "{\"metadata\":{\"$patch\":\"x\",\"finalizers\":[" + "1,".repeat(500) + "1]}}");
      case 2 -> patch(token, "json-patch", "[" + "{\"op\":\"copy\",\"from\":\"/data\",\"path\":\"/data/y\"},".repeat(200) + "{\"op\":\"test\"}]");
      case 3 -> get(token, "labelSelector=" + encoded("a in (" + "b,".repeat(800) + "c),!d,e!=f"));
      case 4 -> get(token, "fieldSelector=" + encoded("metadata.name!=a,".repeat(200) + "x=y") + "&limit=-1");
      case 5 -> post(token, "[".repeat(20_000));
      default ->
          random.nextInt(LARGE) == 0
              ? post(token, "{\"metadata\":{\"name\":\"l\",\"labels\":{" + fields(200_000, "\"\"") + "}}}")
              : post(token, "{\"metadata\":{\"generateName\":\"-\"},\"data\":{" + fields(300, "1e999") + "}}");
    };
  }

  private static String fields(int count, String value) {
    return IntStream.range(0, count).mapToObj(i -> "\"-" + i + "\":" + value).collect(Collectors.joining(","));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private HttpRequest.Builder to(String token, String path) {
    return HttpRequest.newBuilder(url.resolve(path))
        .timeout(Duration.ofMinutes(1))
        .header("Authorization", "Bearer " + token);
  }

  private HttpRequest patch(String token, String type, String body) {
    return to(token, MAPS + "/a").header("Content-Type", "application/" + type + "+json").method("PATCH", BodyPublishers.ofString(body)).build();
  }

  private HttpRequest post(String token, String body) {
    return to(token, MAPS).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)).build();
  }

  private HttpRequest get(String token, String query) {
    return to(token, MAPS + "?" + query).GET().build();
  }

  /// Connections that say nothing, or half of something, and stay or go.
  private void connections(Random random) {
    var open = new ArrayList<SSLSocket>();
    while (!over) {
      try {
        var socket = connect("http/1.1");
        socket.getOutputStream().write("GET /api HTTP/1.1\r\nHost: x\r\nX-Half: ".getBytes(StandardCharsets.US_ASCII));
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
    var socket = (SSLSocket) tls.getSocketFactory().createSocket(url.getHost(), url.getPort());
    var parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  /// Requests over HTTP/2 that are taken back in the same moment (CVE-2023-44487).
  private void resets(String token, int rate) {
    while (!over) {
      try (var socket = connect("h2")) {
        var out = socket.getOutputStream();
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        out.write(frame(4, 0, 0, new byte[0]));
        var head = head(token);
        int together = Math.max(1, rate / 100);
        for (int stream = 1; !over && stream < 1_000_000; stream += 2 * together) {
          for (int i = 0; i < together; i++) {
            out.write(frame(1, 5, stream + 2 * i, head));
            out.write(frame(3, 0, stream + 2 * i, new byte[] {0, 0, 0, 8}));
            sent.incrementAndGet();
            count("reset");
          }
          out.flush();
          pause(10);
          while (socket.getInputStream().available() > 0) socket.getInputStream().skip(socket.getInputStream().available());
        }
      } catch (IOException _) {
        count("reset connection cut");
      }
    }
  }

  /// Names and values as they are: without a table, and without Huffman's code (RFC 7541).
  private byte[] head(String token) {
    var head = new ByteArrayOutputStream();
    for (var field :
        List.of(":method", "GET", ":scheme", "https", ":authority", url.getAuthority(), ":path", MAPS, "authorization", "Bearer " + token)) {
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
