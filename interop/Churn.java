import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/// Churn: a stack of three nodes whose pods write numbered and checksummed lines, each forced to disk
/// before it is acknowledged on standard output. Round for round pods move between nodes while the
/// stack is killed with SIGKILL at random moments, and now and then once more while it starts. No
/// acknowledged line may be lost, no volume be on two nodes, no container be started twice, and nothing
/// may be left when all is deleted.
///
///     java -cp 'build/lib/*' interop/Churn.java BERTH HOME ROUNDS SEED
///
/// The seed chooses moments and moves; how far the processes are then is chance.
final class Churn {
  private static final int VOLUMES = 6;
  private static final int NODES = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final String berth;
  private final Path home;
  private final Random random;
  private final ObjectMapper json = new ObjectMapper();

  /// The highest line of each volume that its pods have acknowledged.
  private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();

  /// How far each log has been read, in bytes, by device and inode: a full log is put aside under
  /// another name, and a new one has its name then.
  private final Map<Object, Long> read = new HashMap<>();

  private final Map<String, Integer> nodeOf = new HashMap<>();
  private int kills;

  private Churn(String berth, Path home, long seed) {
    this.berth = berth;
    this.home = home;
    this.random = new Random(seed);
  }

  public static void main(String[] arguments) throws Exception {
    var churn = new Churn(arguments[0], Path.of(arguments[1]), Long.parseLong(arguments[3]));
    try {
      churn.run(Integer.parseInt(arguments[2]));
    } catch (ExecutionException moved) {
      System.out.println("churn: " + moved.getCause());
      System.exit(1);
    } catch (BrokenPromise broken) {
      System.out.println("churn: " + broken.getMessage());
      System.exit(1);
    }
  }

  private static final class BrokenPromise extends RuntimeException {
    private static final long serialVersionUID = 1;

    BrokenPromise(String message) {
      super(message);
    }
  }

  private void run(int rounds) throws Exception {
    up(Duration.ZERO);
    var names = IntStream.range(0, VOLUMES).mapToObj(i -> "churn-" + i).toList();
    berth("apply", "-f", write("class.yaml", STORAGE_CLASS)).succeeded();
    for (var name : names) {
      berth("apply", "-f", write(name + "-claim.yaml", claim(name))).succeeded();
      place(name, random.nextInt(NODES));
    }
    for (int round = 1; round <= rounds; round++) round(round, names);
    for (var name : names) berth("delete", "-f", manifest(name)).succeeded();
    look();
    for (var name : names) berth("delete", "-f", manifest(name + "-claim")).succeeded();
    berth("down").succeeded();
    nothingIsLeft();
    System.out.printf(
        "churn: %d rounds, %d kills, %d lines acknowledged, none lost, nothing left%n",
        rounds, kills, acknowledged.values().stream().mapToInt(Integer::intValue).sum());
  }

  private void round(int round, List<String> names) throws Exception {
    look();
    var before = Map.copyOf(acknowledged);
    var moving = names.stream().filter(_ -> random.nextInt(3) == 0).toList();
    var movers = new ArrayList<FutureTask<Void>>();
    for (var name : moving) {
      int to = (nodeOf.get(name) + 1 + random.nextInt(NODES - 1)) % NODES;
      var mover = new FutureTask<Void>(() -> move(name, to), null);
      movers.add(mover);
      Thread.startVirtualThread(mover);
    }
    var life = Duration.ofMillis(random.nextInt(2500));
    pause(life);
    kill();
    pause(Duration.ofMillis(random.nextInt(300)));
    boolean twice = random.nextInt(3) == 0;
    up(twice ? Duration.ofMillis(1 + random.nextInt(1500)) : Duration.ZERO);
    for (var mover : movers) mover.get();
    until(
        "all pods run and write again",
        () -> {
          look();
          return names.stream()
                  .allMatch(it -> acknowledged.getOrDefault(it, 0) > before.getOrDefault(it, 0) + 3)
              && running(names);
        });
    onOneNodeEach();
    System.out.printf(
        "churn: round %d: moved %s, killed after %d ms%s; %d lines, none lost%n",
        round,
        moving,
        life.toMillis(),
        twice ? ", and again during the start" : "",
        acknowledged.values().stream().mapToInt(Integer::intValue).sum());
  }

  // What happens.

  private void move(String name, int to) {
    try {
      // A stack that was killed after it had deleted the pod did not say so.
      retried(() -> berth("delete", "--ignore-not-found", "-f", manifest(name)).exit == 0);
      place(name, to);
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private void place(String name, int node) throws IOException, InterruptedException {
    var manifest = write(name + ".yaml", pod(name, "node-" + (node + 1)));
    retried(() -> berth("apply", "-f", manifest).exit == 0);
    synchronized (nodeOf) {
      nodeOf.put(name, node);
    }
  }

  /// Starts the stack; if `untilKilled` is not zero, it is killed that long after the start has
  /// begun.
  private void up(Duration untilKilled) throws IOException, InterruptedException {
    String[] up = {"up", "--detach", "--nodes", "" + NODES, "--port", "0"};
    if (!untilKilled.isZero()) {
      var starting = start(Files.createTempFile(home.getParent(), "up", ".txt"), up);
      pause(untilKilled);
      if (starting.isAlive()) kills++;
      starting.destroyForcibly().waitFor();
      kill();
    }
    berth(up).succeeded();
  }

  private void kill() throws IOException {
    for (long pid : stacks()) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
      kills++;
    }
    var deadline = Instant.now().plus(PATIENCE);
    while (!stacks().isEmpty())
      if (Instant.now().isAfter(deadline)) throw new BrokenPromise("the stack cannot be killed");
  }

  /// The processes of the stack over our home, and of nobody else's.
  private List<Long> stacks() throws IOException {
    var found = new ArrayList<Long>();
    try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (var process : processes) {
        try {
          var words = List.of(Files.readString(process.resolve("cmdline")).split("\0"));
          if (words.contains("dev.berth.cli.Main")
              && words.contains("up")
              && words.contains(home.toString()))
            found.add(Long.parseLong(process.getFileName().toString()));
        } catch (IOException _) {
          // It has ended.
        }
      }
    }
    return found;
  }

  // What is looked at.

  private static final Pattern LOG = Pattern.compile("[.]log(?:[.][^/]*)?$");

  private static final Pattern LINE =
      Pattern.compile("(?:\\S+ stdout F )?(?:(\\d+)|(begin) (\\d+)|(.*))");

  /// Reads what the logs have gained. A log goes with its pod, so this must come often; what is
  /// missed is a promise less to hold the stack to.
  private synchronized void look() {
    var logs = home.resolve("log/pods");
    try (var files = Files.find(logs, 3, (it, _) -> LOG.matcher(it.toString()).find())) {
      for (var log : files.sorted(Comparator.comparing(Churn::age)).toList()) {
        var name = logs.relativize(log).getName(0).toString().split("_")[1];
        readOn(name, log);
      }
    } catch (IOException | UncheckedIOException _) {
      // A log went while it was read; the others are read the next time.
    }
  }

  /// What was put aside, with its time behind the name, comes before what has the name now.
  private static String age(Path log) {
    var name = log.toString();
    return name.endsWith(".log") ? name + ".~" : name;
  }

  private void readOn(String name, Path log) throws IOException {
    byte[] all;
    Object file;
    try (var opened = Files.newInputStream(log)) {
      // Of one file, though it may be put aside meanwhile: it is looked at again under its new
      // name.
      file = Files.readAttributes(log, BasicFileAttributes.class).fileKey();
      all = opened.readAllBytes();
      if (!file.equals(Files.readAttributes(log, BasicFileAttributes.class).fileKey())) return;
    }
    int from = (int) Math.min(all.length, read.getOrDefault(file, 0L));
    int to = from;
    for (int i = from; i < all.length; i++) {
      if (all[i] != '\n') continue;
      told(name, new String(all, to, i - to, StandardCharsets.UTF_8));
      to = i + 1;
    }
    read.put(file, (long) to);
  }

  private void told(String name, String line) {
    var said = LINE.matcher(line);
    if (!said.matches()) throw new BrokenPromise("a log line of " + name + " is broken: " + line);
    if (said.group(1) != null) acknowledged.merge(name, Integer.parseInt(said.group(1)), Math::max);
    else if (said.group(2) != null) {
      int found = Integer.parseInt(said.group(3));
      int known = acknowledged.getOrDefault(name, 0);
      if (found < known)
        throw new BrokenPromise(
            "%s has %d lines, and %d were acknowledged".formatted(name, found, known));
    } else throw new BrokenPromise(name + " says: " + said.group(4));
  }

  private boolean running(List<String> names) {
    try {
      var pods = new HashMap<String, JsonNode>();
      for (var pod :
          json.readTree(berth("get", "pod", "-o", "json").succeeded().text).path("items"))
        pods.put(pod.path("metadata").path("name").asText(), pod.path("status"));
      for (var pod : pods.entrySet())
        for (var container : pod.getValue().path("containerStatuses"))
          if (container.path("restartCount").asInt() > 0)
            throw new BrokenPromise("the container of " + pod.getKey() + " was started twice");
      return pods.keySet().containsAll(names)
          && pods.values().stream().allMatch(it -> it.path("phase").asText().equals("Running"));
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /// Every volume's file system, as the kernel shows it, is mounted below one node's folder only.
  private void onOneNodeEach() throws IOException {
    var nodes = new HashMap<String, TreeSet<String>>();
    var below = home + "/nodes/";
    for (var line : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
      var words = line.split(" ");
      if (!words[4].startsWith(below) || !line.contains(" /dev/loop")) continue;
      nodes
          .computeIfAbsent(words[2], _ -> new TreeSet<>())
          .add(words[4].substring(below.length()).split("/")[0]);
    }
    nodes.forEach((device, on) -> {
      if (on.size() > 1) throw new BrokenPromise(device + " is mounted on nodes " + on);
    });
  }

  private void nothingIsLeft() throws IOException, InterruptedException {
    for (var line : Files.readAllLines(Path.of("/proc/self/mountinfo")))
      if (line.contains(" " + home + "/")) throw new BrokenPromise("left mounted: " + line);
    try (var devices = Files.newDirectoryStream(Path.of("/sys/block"), "loop*")) {
      for (var device : devices) {
        try {
          var file = Files.readString(device.resolve("loop/backing_file")).strip();
          if (file.startsWith(home + "/"))
            throw new BrokenPromise("left attached: " + device.getFileName() + " over " + file);
        } catch (NoSuchFileException _) {
          // It is free.
        }
      }
    }
    try (var volumes = Files.list(home.resolve("pool/volumes"))) {
      var left = volumes.toList();
      if (!left.isEmpty()) throw new BrokenPromise("left in the pool: " + left);
    }
    var fsck = run("disk", "fsck", "--pool", home.resolve("pool").toString());
    if (fsck.exit != 0) throw new BrokenPromise("fsck: " + fsck.text);
  }

  // How it is asked for.

  private record Result(List<String> command, int exit, String text) {
    Result succeeded() {
      if (exit != 0) throw new BrokenPromise(command + " ended with " + exit + ": " + text);
      return this;
    }
  }

  private Result berth(String... arguments) throws IOException, InterruptedException {
    var words = Arrays.copyOf(arguments, arguments.length + 2);
    words[arguments.length] = "--home";
    words[arguments.length + 1] = home.toString();
    return run(words);
  }

  private Result run(String... arguments) throws IOException, InterruptedException {
    var output = Files.createTempFile(home.getParent(), "said", ".txt");
    var process = startPlain(output, arguments);
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new BrokenPromise("no end of berth " + List.of(arguments));
    }
    var text = Files.readString(output);
    Files.delete(output);
    return new Result(List.of(arguments), process.exitValue(), text);
  }

  private Process start(Path output, String... arguments) throws IOException {
    var words = new ArrayList<>(List.of(arguments));
    words.addAll(List.of("--home", home.toString()));
    return startPlain(output, words.toArray(String[]::new));
  }

  private Process startPlain(Path output, String... arguments) throws IOException {
    var words = new ArrayList<>(List.of(berth));
    words.addAll(List.of(arguments));
    return new ProcessBuilder(words)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  private interface Attempt {
    boolean succeeds() throws IOException, InterruptedException;
  }

  /// Tries again while the stack is away.
  private void retried(Attempt attempt) throws IOException, InterruptedException {
    var deadline = Instant.now().plus(PATIENCE);
    while (!attempt.succeeds()) {
      if (Instant.now().isAfter(deadline)) throw new BrokenPromise("nothing answers any more");
      pause(Duration.ofMillis(200));
    }
  }

  private void until(String what, BooleanSupplier holds) throws IOException, InterruptedException {
    var deadline = Instant.now().plus(PATIENCE);
    while (!holds.getAsBoolean()) {
      if (Instant.now().isAfter(deadline))
        throw new BrokenPromise("it is not so that " + what + ":\n" + berth("get", "pod,pvc").text);
      pause(Duration.ofMillis(100));
    }
  }

  private static void pause(Duration time) throws InterruptedException {
    Thread.sleep(time);
  }

  private String manifest(String name) {
    return home.getParent().resolve(name + ".yaml").toString();
  }

  private String write(String file, String text) throws IOException {
    return Files.writeString(home.getParent().resolve(file), text).toString();
  }

  private static final String STORAGE_CLASS =
      """
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: {name: churn}
      provisioner: disk.berth.dev
      volumeBindingMode: WaitForFirstConsumer
      """;

  private static String claim(String name) {
    return """
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata: {name: %s}
    spec:
      storageClassName: churn
      accessModes: [ReadWriteOnce]
      resources: {requests: {storage: 64Mi}}
    """
        .formatted(name);
  }

  /// A line holds its number and a number that follows from it; awk and the shell reckon alike up
  /// to two million lines.
  private static String pod(String name, String node) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: %s}
    spec:
      restartPolicy: Always
      terminationGracePeriodSeconds: 1
      nodeSelector: {kubernetes.io/hostname: %s}
      containers:
      - name: main
        image: host
        command: [sh, -euc]
        args:
        - |
          trap 'exit 0' TERM
          cd /data
          touch lines
          if ! awk '$1 != NR || $2 != (NR * 2654435761) %% 4294967296 { exit 1 }' lines; then
            echo "a line is not what was written"
          fi
          n=$(wc -l < lines)
          echo "begin $n"
          while :; do
            n=$((n + 1))
            echo "$n $((n * 2654435761 %% 4294967296))" >> lines
            sync lines
            echo "$n"
            sleep 0.05
          done
        volumeMounts: [{name: data, mountPath: /data}]
      volumes: [{name: data, persistentVolumeClaim: {claimName: %s}}]
    """
        .formatted(name, node, name);
  }
}
