package dev.berth.cli.outofservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.cli.Problem;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Giving up a node, on a real server; this test plays the controllers (BEY-01).
class OutOfServiceTest {
  private static final ObjectKey NODE = ObjectKey.cluster("node-a");
  private static final ObjectKey POD = ObjectKey.of("default", "web");
  private static final ObjectKey ATTACHMENT = ObjectKey.cluster("csi-1");
  private static final Duration SILENCE = Duration.ofMillis(300);
  private static final String TAINT = "node.kubernetes.io/out-of-service";

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> said = new CopyOnWriteArrayList<>();
  private final EmbeddedApiServer server;
  private final Api api;

  OutOfServiceTest() throws Exception {
    server = EmbeddedApiServer.start(new MemoryStore());
    api = new LocalApi(server, threads);
  }

  @BeforeEach
  void aNodeWithAPodAndAVolume() {
    create(
        Resources.NODES,
        "{metadata: {name: node-a}, spec: {taints: [{key: mine, effect: NoSchedule}]}}");
    status("Unknown");
    create(
        Resources.PODS,
        "{metadata: {namespace: default, name: web, finalizers: [example.com/held]}, spec:"
            + " {nodeName: node-a, automountServiceAccountToken: false, containers: [{name: main,"
            + " image: host}]}}");
    create(
        Resources.ATTACHMENTS,
        "{metadata: {name: csi-1}, spec: {attacher: disk.berth.dev, nodeName: node-a, source:"
            + " {persistentVolumeName: pv-1}}}");
  }

  @AfterEach
  void stop() {
    server.close();
    threads.close();
  }

  private static ObjectNode yaml(String text) {
    try {
      return (ObjectNode) new YAMLMapper().readTree(text);
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(wrong);
    }
  }

  private void create(Resource resource, String text) {
    api.create(
        resource, yaml(text).put("apiVersion", resource.apiVersion()).put("kind", resource.kind()));
  }

  private void status(String ready) {
    api.patchStatus(
        Resources.NODES,
        NODE,
        Patch.merge(
            yaml("{status: {conditions: [{type: Ready, status: '%s'}]}}".formatted(ready))));
  }

  private Node node() {
    return Kinds.NODE.read().apply(api.get(Resources.NODES, NODE));
  }

  private CompletableFuture<Void> run(Duration patience) {
    return run(patience, SILENCE);
  }

  private CompletableFuture<Void> run(Duration patience, Duration silence) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            new OutOfService(api, "node-a", silence, said::add).run(patience);
          } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
          }
        },
        threads);
  }

  private static void untilTrue(java.util.concurrent.Callable<Boolean> condition) {
    await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(5)).until(condition);
  }

  @Test
  void aNodeIsGivenUpAndTheTaintIsOffWhenNothingIsLeft() throws Exception { // BEY-01
    var command = run(Duration.ofMinutes(1));
    untilTrue(() -> said.contains("waits for pod default/web, 1 volume"));
    assertThat(node().hasTaint(TAINT)).isTrue();
    remove(POD);
    untilTrue(() -> said.contains("waits for 1 volume"));
    assertThat(node().hasTaint(TAINT)).isTrue();
    api.delete(Resources.ATTACHMENTS, ATTACHMENT, DeleteOptions.DEFAULT);
    command.get(10, TimeUnit.SECONDS);
    assertThat(said.getLast())
        .isEqualTo("nothing is left on node node-a, and the taint is off again");
    assertThat(node().taints()).extracting(Node.Taint::key).containsExactly("mine");
  }

  @Test
  void podsThatStayWhateverTheTaintAreNotWaitedForNorTheirVolumes() throws Exception { // BEY-01
    staying("proxy", "", "{operator: Exists}");
    staying("static", "annotations: {kubernetes.io/config.mirror: x}", "");
    staying(
        "soon",
        "",
        "{key: node.kubernetes.io/out-of-service, operator: Exists, tolerationSeconds: 1}");
    create(
        Resources.CLAIMS,
        "{metadata: {namespace: kube-system, name: proxy}, spec: {volumeName: pv-2, accessModes:"
            + " [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}");
    create(
        Resources.ATTACHMENTS,
        "{metadata: {name: csi-2}, spec: {attacher: disk.berth.dev, nodeName: node-a, source:"
            + " {persistentVolumeName: pv-2}}}");
    var command = run(Duration.ofMinutes(1));
    untilTrue(() -> said.contains("waits for pod default/web, pod kube-system/soon, 1 volume"));
    remove(POD);
    remove(ObjectKey.of("kube-system", "soon"));
    api.delete(Resources.ATTACHMENTS, ATTACHMENT, DeleteOptions.DEFAULT);
    command.get(10, TimeUnit.SECONDS);
    assertThat(node().hasTaint(TAINT)).isFalse();
    assertThat(said.getLast())
        .startsWith("all that the taint removes has left node node-a")
        .endsWith("There stay: pod kube-system/proxy, pod kube-system/static, 1 volume");
  }

  @Test
  void onesThatAreDeletedAreWaitedForEvenSo() { // BEY-01
    staying("proxy", "", "{operator: Exists}");
    api.delete(Resources.PODS, ObjectKey.of("kube-system", "proxy"), DeleteOptions.DEFAULT);
    assertThatThrownBy(() -> new OutOfService(api, "node-a", SILENCE, said::add).run(Duration.ZERO))
        .hasMessageContaining("pod kube-system/proxy");
  }

  /// A pod with a claim of its own name.
  private void staying(String name, String meta, String toleration) {
    create(
        Resources.PODS,
        ("{metadata: {namespace: kube-system, name: %1$s, finalizers: [example.com/held], %2$s},"
                + " spec: {nodeName: node-a, automountServiceAccountToken: false, tolerations:"
                + " [%3$s], containers: [{name: main, image: host}], volumes: [{name: data,"
                + " persistentVolumeClaim: {claimName: %1$s}}]}}")
            .formatted(name, meta, toleration));
  }

  private void remove(ObjectKey pod) {
    api.patch(Resources.PODS, pod, Patch.merge(yaml("{metadata: {finalizers: null}}")));
    api.delete(Resources.PODS, pod, DeleteOptions.DEFAULT.gracePeriodSeconds(0));
  }

  @Test
  void aNodeThatIsReadyIsNot() { // BEY-01
    status("True");
    assertRefused("node node-a is ready: it lives");
  }

  @Test
  void norOneWhoseAgentRenewsItsLeaseWhateverTheClocksSay() throws Exception { // AD-55
    lease("2001-01-01T00:00:00.000000Z"); // the asker's clock is far ahead of it
    var command = run(Duration.ofMinutes(1), Duration.ofMinutes(1));
    untilTrue(() -> said.contains("listens for 60 s to node node-a"));
    // as an agent does, again and again, since the first look may come after one of these
    var beats = new AtomicInteger();
    untilTrue(() -> {
      renew("2001-01-01T00:00:00.%06dZ".formatted(beats.incrementAndGet()));
      return command.isDone();
    });
    assertThatThrownBy(() -> command.get(30, TimeUnit.SECONDS))
        .hasMessageContaining("has just renewed its lease");
    assertThat(node().hasTaint(TAINT)).isFalse();
  }

  @Test
  void aLeaseThatNobodyRenewsIsNoSignOfLifeHoweverYoungItLooks() throws Exception { // AD-55
    lease("2999-01-01T00:00:00.000000Z"); // the asker's clock is far behind
    var command = run(Duration.ofMinutes(1));
    untilTrue(() -> said.contains("waits for pod default/web, 1 volume"));
    assertThat(node().hasTaint(TAINT)).isTrue();
    renew("2999-01-01T00:00:10.000000Z");
    assertThatThrownBy(() -> command.get(30, TimeUnit.SECONDS))
        .hasMessageContaining("node node-a is back before all had left it");
    assertThat(node().hasTaint(TAINT)).isFalse();
  }

  private void lease(String renewed) {
    create(
        Resources.LEASES,
        "{metadata: {namespace: kube-node-lease, name: node-a}, spec: {holderIdentity: node-a,"
            + " leaseDurationSeconds: 40, renewTime: '%s'}}".formatted(renewed));
  }

  private void renew(String at) {
    api.patch(
        Resources.LEASES,
        ObjectKey.of("kube-node-lease", "node-a"),
        Patch.merge(yaml("{spec: {renewTime: '%s'}}".formatted(at))));
  }

  private void assertRefused(String why) {
    assertThatThrownBy(
            () -> new OutOfService(api, "node-a", SILENCE, said::add).run(Duration.ofSeconds(1)))
        .isInstanceOf(Problem.class)
        .hasMessageContaining(why);
    assertThat(node().hasTaint(TAINT)).isFalse();
    assertThat(said).isEmpty();
  }

  @Test
  void oneThatIsNotThereIsSaid() { // BEY-01
    assertThatThrownBy(
            () -> new OutOfService(api, "node-x", SILENCE, said::add).run(Duration.ofSeconds(1)))
        .hasMessage("there is no node node-x");
  }

  @Test
  void whatDoesNotLeaveInTimeIsNamed() { // BEY-01
    assertThatThrownBy(() -> new OutOfService(api, "node-a", SILENCE, said::add).run(Duration.ZERO))
        .hasMessageContaining("pod default/web, 1 volume did not leave node node-a in time")
        .hasMessageContaining("kubectl taint node node-a " + TAINT + "-");
    assertThat(node().hasTaint(TAINT)).isTrue();
  }

  @Test
  void aNodeThatComesBackMeanwhileKeepsWhatIsThere() throws Exception { // BEY-01
    var command = run(Duration.ofMinutes(1));
    untilTrue(() -> said.contains("waits for pod default/web, 1 volume"));
    status("True");
    assertThatThrownBy(() -> command.get(20, TimeUnit.SECONDS))
        .hasMessageContaining("node node-a is back before all had left it");
    assertThat(node().hasTaint(TAINT)).isFalse();
  }
}
