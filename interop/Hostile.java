import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

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
  private static final int LIVES_ALONE = 8;

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
    tls.init(null, new TrustManager[] {new HostileTrust()}, null);
    this.calm = HostileAttack.client(tls);
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
    var besideSink = beside(seconds, command(arguments, "sink"));
    tell("beside a sink that is sent the same", besideSink);
    var beside = beside(seconds, command(arguments, "server", token));
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
  private List<Long> beside(int seconds, List<String> command) throws Exception {
    var attacker =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (var said = attacker.inputReader()) {
      if (said.readLine() == null) throw new IllegalStateException("no attack has begun");
      var lives =
          lives(Integer.MAX_VALUE, System.nanoTime() + Duration.ofSeconds(seconds).toNanos());
      attacker.getOutputStream().close();
      for (var line = said.readLine(); line != null; line = said.readLine()) {
        System.out.println(line);
        failed |= line.contains(" 500 ");
      }
      return lives;
    } finally {
      attacker.destroy();
    }
  }

  private void attackSink(int rate) throws Exception {
    try (var sink = new HostileSink()) {
      attack("sink", new HostileAttack(sink.url(), "nobody".repeat(150), tls), rate);
    }
  }

  private void attack(String token, int rate) throws Exception {
    attack("server", new HostileAttack(url, token, tls), rate);
  }

  /// Until nobody listens any more. It has begun when something has been answered: before that our
  /// classes are loaded, which takes seconds on a busy machine.
  private static void attack(String whom, HostileAttack attack, int rate) throws Exception {
    long begin = System.nanoTime();
    var attacker = Thread.ofPlatform().start(() -> attack.run(rate));
    if (!attack.hasBegun(Duration.ofMinutes(1))) {
      System.err.println("hostile: the " + whom + " answers nothing");
      System.exit(1);
    }
    System.out.println("begun");
    while (System.in.read() >= 0) {}
    attack.end();
    attacker.join();
    attack.tell(whom, Math.max(1, Duration.ofNanos(System.nanoTime() - begin).toSeconds()));
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
    made(HostileAttack.MAPS, "{metadata: {name: a}, data: {x: y}}");
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
}
