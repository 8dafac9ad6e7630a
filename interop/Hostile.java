import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
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
import java.security.KeyStore;
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
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// Somebody who may edit one namespace sends what hurts, and strangers open connections, while claims
/// and pods of others live their lives. What a life takes beside them is compared with what it takes
/// while the same is sent to a sink, which hears everything and does nothing: who attacks is elsewhere
/// otherwise, and what he and the network take of this machine's processors is not the server's doing.
/// So he and the sink are also a process of their own, behind all others (`nice`). What a life takes
/// alone is told too. No request may be answered 500.
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
  private boolean failed;

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
    int seconds = Integer.parseInt(arguments[1]);
    int rate = Integer.parseInt(arguments[2]);
    if (arguments.length == 3) System.exit(hostile.run(arguments, seconds, rate));
    if (arguments[3].equals("sink")) hostile.attackSink(rate);
    else hostile.attack(arguments[4], rate);
  }

  private int run(String[] arguments, int seconds, int rate) throws Exception {
    var token = prepare();
    life(0); // the first life compiles and loads
    tell("alone", lives(LIVES_ALONE, Long.MAX_VALUE));
    var besideSink = beside(seconds, command(arguments, "sink"), "");
    tell("beside a sink that is sent the same", besideSink);
    var beside = beside(seconds, command(arguments, "server", token), "hostile");
    tell("beside", beside);
    boolean slow = median(beside) > 2 * median(besideSink);
    if (slow) System.out.println("hostile: a life took more than twice its time");
    if (failed) System.out.println("hostile: somebody was answered 500");
    return slow || failed ? 1 : 0;
  }

  /// The attacker as a process of its own.
  private static List<String> command(String[] arguments, String... more) {
    var command =
        new ArrayList<>(
            List.of("nice", "-n", "19", ProcessHandle.current().info().command().orElse("java")));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(System.getProperty("hostile.source", "interop/Hostile.java"));
    command.addAll(List.of(arguments));
    command.addAll(List.of(more));
    return command;
  }

  /// While somebody attacks, until he is told to stop and has told what came of it.
  private List<Long> beside(int seconds, List<String> command, String whose) throws Exception {
    var attacker =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (var said = attacker.inputReader()) {
      said.readLine(); // it has begun
      var lives =
          lives(Integer.MAX_VALUE, System.nanoTime() + Duration.ofSeconds(seconds).toNanos());
      attacker.getOutputStream().close();
      for (var line = said.readLine(); line != null; line = said.readLine()) {
        if (!whose.isEmpty()) System.out.println(line);
        failed |= !whose.isEmpty() && line.contains(" 500 ");
      }
      return lives;
    } finally {
      attacker.destroy();
    }
  }

  private void attackSink(int rate) throws Exception {
    try (var sink = new Sink()) {
      attack(new Attack(sink.url(), "nobody".repeat(150)), rate);
    }
  }

  private void attack(String token, int rate) throws Exception {
    attack(new Attack(url, token), rate);
  }

  /// Until nobody listens any more.
  private static void attack(Attack attack, int rate) throws Exception {
    long begin = System.nanoTime();
    var attacker = Thread.ofPlatform().start(() -> attack.run(rate));
    System.out.println("begun");
    while (System.in.read() >= 0) {}
    attack.over = true;
    attacker.join();
    attack.tell(Math.max(1, Duration.ofNanos(System.nanoTime() - begin).toSeconds()));
    System.exit(0);
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
        "{metadata: {name: calm}, provisioner: disk.berth.dev, volumeBindingMode:"
            + " WaitForFirstConsumer}");
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
        made(
            "/api/v1/namespaces/hostile/serviceaccounts/somebody/token",
            "{spec: {expirationSeconds: 7200}}");
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
    while (!JSON.readTree(ask("GET", pods + "/" + name, "").body())
        .path("status")
        .path("phase")
        .asText()
        .equals("Running")) Thread.sleep(20);
    var claim = JSON.readTree(ask("GET", claims + "/" + name, "").body());
    var volume = "/api/v1/persistentvolumes/" + claim.path("spec").path("volumeName").asText();
    ask("DELETE", pods + "/" + name, "");
    ask("DELETE", claims + "/" + name, "");
    while (ask("GET", volume, "").statusCode() != 404) Thread.sleep(20);
    return Duration.ofNanos(System.nanoTime() - begin).toMillis();
  }

  // Those who do not.

  /// What is sent to one server.
  private final class Attack {
    private final URI target;
    private final String token;
    private final Map<String, AtomicLong> answers = new ConcurrentHashMap<>();
    private final AtomicLong sent = new AtomicLong();
    private final List<HttpRequest> sorts;
    private final HttpRequest large;
    private volatile boolean over;

    Attack(URI target, String token) {
      this.target = target;
      this.token = token;
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
              get(
                  "fieldSelector="
                      + encoded("metadata.name!=a,".repeat(200) + "x=y")
                      + "&limit=-1"),
              post("[".repeat(20_000)),
              post(
                  "{\"metadata\":{\"generateName\":\"-\"},\"data\":{"
                      + fields(300, "1e999")
                      + "}}"));
      this.large =
          post("{\"metadata\":{\"name\":\"l\",\"labels\":{" + fields(200_000, "\"\"") + "}}}");
    }

    /// Sends so many a second, of each sort in turn by chance, and waits for nobody.
    void run(int rate) {
      var random = new Random(1);
      var slots = new Semaphore(MOST_UNDER_WAY);
      var client = client();
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
            });
      }
      client.shutdownNow();
    }

    private void count(String answer) {
      answers.computeIfAbsent(answer, _ -> new AtomicLong()).incrementAndGet();
    }

    void tell(long seconds) {
      var counted =
          answers.entrySet().stream()
              .sorted(Map.Entry.comparingByKey())
              .map(each -> each.getKey() + " " + each.getValue())
              .collect(Collectors.joining(", "));
      System.out.printf(
          "hostile: %d requests in %d s (%d a second): %s%n",
          sent.get(), seconds, sent.get() / seconds, counted);
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
              .write(
                  "GET /api HTTP/1.1\r\nHost: x\r\nX-Half: ".getBytes(StandardCharsets.US_ASCII));
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
            pause(1_000 * together / Math.max(1, rate));
            while (socket.getInputStream().available() > 0)
              socket.getInputStream().skip(socket.getInputStream().available());
          }
        } catch (IOException _) {
          count("reset connection cut");
        }
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
  private byte[] head(String token) {
    var head = new ByteArrayOutputStream();
    for (var field :
        List.of(
            ":method",
            "GET",
            ":scheme",
            "https",
            ":authority",
            url.getAuthority(),
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

  /// Hears requests to their end and answers each that it has done nothing; to those who speak
  /// HTTP/2 it says nothing.
  private static final class Sink implements AutoCloseable {
    private static final byte[] NOTHING =
        "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final SSLServerSocket door;

    Sink() throws Exception {
      var context = SSLContext.getInstance("TLS");
      context.init(keys().getKeyManagers(), null, null);
      this.door =
          (SSLServerSocket)
              context
                  .getServerSocketFactory()
                  .createServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
      Thread.ofPlatform().daemon().start(this::accept);
    }

    private static KeyManagerFactory keys() throws Exception {
      var folder = Files.createTempDirectory("sink");
      var file = folder.resolve("key.p12");
      var tool = Path.of(System.getProperty("java.home"), "bin/keytool").toString();
      var made =
          new ProcessBuilder(
                  tool,
                  "-genkeypair",
                  "-keyalg",
                  "EC",
                  "-dname",
                  "CN=sink",
                  "-keystore",
                  file.toString(),
                  "-storepass",
                  "nothing")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (made.waitFor() != 0) throw new IllegalStateException("keytool made no key");
      var store = KeyStore.getInstance(file.toFile(), "nothing".toCharArray());
      Files.delete(file);
      Files.delete(folder);
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, "nothing".toCharArray());
      return keys;
    }

    URI url() {
      return URI.create(
          "https://" + door.getInetAddress().getHostAddress() + ":" + door.getLocalPort());
    }

    private void accept() {
      try {
        while (true) {
          var socket = (SSLSocket) door.accept();
          Thread.ofVirtual().start(() -> hear(socket));
        }
      } catch (IOException _) {
        // It is closed.
      }
    }

    private void hear(SSLSocket socket) {
      try (socket) {
        socket.setHandshakeApplicationProtocolSelector(
            (_, offered) -> offered.contains("http/1.1") ? "http/1.1" : offered.getFirst());
        var in = new BufferedInputStream(socket.getInputStream(), 16_384);
        if (!socket.getSession().isValid()) return;
        if ("h2".equals(socket.getApplicationProtocol()))
          in.transferTo(OutputStream.nullOutputStream());
        else answer(in, socket);
      } catch (IOException _) {
        // Who sends has gone.
      }
    }

    private static void answer(InputStream in, SSLSocket socket) throws IOException {
      long length = 0;
      var line = new StringBuilder();
      for (int next = in.read(); next >= 0; next = in.read()) {
        if (next == '\r') continue;
        if (next != '\n') {
          line.append((char) next);
          continue;
        }
        if (line.isEmpty()) {
          in.skipNBytes(length);
          length = 0;
          socket.getOutputStream().write(NOTHING);
        }
        var text = line.toString();
        if (text.regionMatches(true, 0, "content-length:", 0, 15))
          length = Long.parseLong(text.substring(15).strip());
        line.setLength(0);
      }
    }

    /// Who is there may stay until he goes.
    @Override
    public void close() throws IOException {
      door.close();
    }
  }
}
