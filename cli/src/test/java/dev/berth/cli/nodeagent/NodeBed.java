package dev.berth.cli.nodeagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.http.HttpApi;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;

/// An API server and a node agent, each a process, and whoever is needed beside them is played by
/// the test.
final class NodeBed implements AutoCloseable {
  static final String NODE = "node-a";
  private static final String RUNTIME = "--container-runtime-endpoint";

  final Path folder;
  final HttpApi api;
  private final List<Process> processes = new ArrayList<>();

  NodeBed() throws IOException {
    // Not JUnit's: nothing may be deleted recursively while something may be mounted below it.
    folder = Files.createTempDirectory(Path.of("/tmp"), "nd");
    var home = folder.resolve("api");
    start("apiserver", "--home", home.toString(), "--port", "0");
    var kubeconfig = home.resolve("kubeconfig");
    soon().until(() -> Files.exists(kubeconfig) && answers(kubeconfig));
    api = HttpApi.of(kubeconfig, Optional.empty());
  }

  static ConditionFactory soon() {
    return await()
        .atMost(Duration.ofMinutes(1))
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20));
  }

  private static boolean answers(Path kubeconfig) {
    try (var probe = HttpApi.of(kubeconfig, Optional.empty())) {
      probe.get(Resources.NAMESPACES, ObjectKey.cluster("default"));
      return true;
    } catch (ApiException | IllegalArgumentException notYet) {
      return false;
    }
  }

  Path root() {
    return folder.resolve("k");
  }

  /// Where the agent says what it does.
  Path log() {
    return folder.resolve("node.log");
  }

  /// Starts the agent, for which nothing is forbidden.
  Process node(String... more) throws IOException {
    return node(folder.resolve("api/kubeconfig"), more);
  }

  /// Starts the agent with the rights of a kubelet.
  Process nodeWithItsRights(String... more) throws IOException {
    var config = (ObjectNode) new YAMLMapper().readTree(folder.resolve("api/kubeconfig").toFile());
    var user = (ObjectNode) config.at("/users/0/user");
    user.put("as", "system:node:" + NODE).putArray("as-groups").add("system:nodes");
    var file = folder.resolve("node.kubeconfig");
    new YAMLMapper().writeValue(file.toFile(), config);
    return node(file, more);
  }

  private Process node(Path kubeconfig, String... more) throws IOException {
    var words = new ArrayList<String>();
    words.addAll(List.of("node", "--kubeconfig", kubeconfig.toString()));
    words.addAll(List.of("--root-dir", root().toString(), "--hostname-override", NODE));
    words.addAll(List.of("--healthz-port=0", "--fail-swap-on=false"));
    words.addAll(List.of(more));
    // whatever this machine runs beside
    if (words.stream().noneMatch(word -> word.startsWith(RUNTIME)))
      words.add(RUNTIME + "=built-in");
    if (words.stream().noneMatch(word -> word.startsWith("--port")))
      words.add("--enable-server=false");
    return start(words.toArray(String[]::new));
  }

  private Process start(String... words) throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.berth.cli.Main"));
    command.addAll(List.of(words));
    var process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(folder.resolve(words[0] + ".log").toFile()))
            .start();
    processes.add(process);
    return process;
  }

  static ObjectNode yaml(String text) throws IOException {
    return (ObjectNode) new YAMLMapper().readTree(text);
  }

  ObjectNode create(Resource resource, String text) throws IOException {
    var object = yaml(text);
    object.put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
    return api.create(resource, object);
  }

  /// A claim that is bound to a volume of the driver.
  void bind(String claim, String handle, String mode) throws IOException {
    var made =
        create(
            Resources.CLAIMS,
            """
            metadata: {namespace: default, name: %s}
            spec:
              accessModes: [ReadWriteOnce]
              volumeMode: %s
              storageClassName: ""
              volumeName: pv-%s
              resources: {requests: {storage: 1Gi}}
            """
                .formatted(claim, mode, claim));
    create(
        Resources.VOLUMES,
        """
        metadata: {name: pv-%s}
        spec:
          capacity: {storage: 1Gi}
          accessModes: [ReadWriteOnce]
          volumeMode: %s
          claimRef: {namespace: default, name: %s, uid: %s}
          csi: {driver: recording.example, volumeHandle: %s, volumeAttributes: {kind: fast}}
        """
            .formatted(claim, mode, claim, made.at("/metadata/uid").asText(), handle));
    api.patchStatus(
        Resources.CLAIMS,
        ObjectKey.of("default", claim),
        Patch.merge(yaml("status: {phase: Bound, capacity: {storage: 1Gi}}")));
  }

  Optional<ObjectNode> find(Resource resource, ObjectKey key) {
    try {
      return Optional.of(api.get(resource, key));
    } catch (ApiException missing) {
      if (missing.isNotFound()) return Optional.empty();
      throw missing;
    }
  }

  JsonNode registered() {
    return api.get(Resources.NODES, ObjectKey.cluster(NODE));
  }

  Optional<ObjectNode> pod(String name) {
    return find(Resources.PODS, ObjectKey.of("default", name));
  }

  /// Waits until an agent that is up has entered the driver.
  void awaitDriver(String driver) {
    soon()
        .until(() ->
            find(Resources.CSI_NODES, ObjectKey.cluster(NODE))
                .filter(
                    it -> it.path("spec").path("drivers").findValuesAsText("name").contains(driver))
                .isPresent());
  }

  @Override
  public void close() throws Exception {
    api.close();
    for (var process : processes.reversed()) {
      process.destroy();
      if (!process.waitFor(30, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
    }
    try (var mounts = Files.lines(Path.of("/proc/self/mountinfo"))) {
      assertThat(mounts.filter(line -> line.contains(" " + folder + "/"))).isEmpty();
    }
    new ProcessBuilder("rm", "-rf", "--one-file-system", folder.toString()).start().waitFor();
  }
}
