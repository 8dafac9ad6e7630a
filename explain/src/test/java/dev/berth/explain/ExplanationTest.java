package dev.berth.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.explain.answer.ChainJson;
import dev.berth.explain.answer.ChainText;
import dev.berth.explain.answer.Explanation;
import dev.berth.explain.answer.Explanation.Verdict;
import dev.berth.explain.voice.Voices;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What an explanation says beside its chain.
class ExplanationTest {
  private static final String CLAIM =
      "+ {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: %s, namespace: shop, uid:"
          + " %s, creationTimestamp: '%s'}, spec: {accessModes: [ReadWriteOnce], storageClassName:"
          + " %s, resources: {requests: {storage: 1Gi}}}, status: {phase: Pending}}";

  /// XPL-02: each volume of a pod has its own chain, and the worst of them counts.
  @Test
  void allVolumesOfAPodAreTold() throws IOException {
    var told =
        explain(
            "class-is-misspelt",
            "pod/web",
            CLAIM.formatted("logs", "logs", "2026-01-01T00:01:00Z", "none"),
            "Pod/web spec.volumes=[{name: data, persistentVolumeClaim: {claimName: data}}, {name:"
                + " logs, persistentVolumeClaim: {claimName: logs}}]");
    assertThat(told.state()).contains("C02");
    assertThat(told.others())
        .singleElement()
        .satisfies(other -> {
          assertThat(other.subject().key().name()).isEqualTo("logs");
          assertThat(other.state()).contains("C02");
        });
    assertThat(ChainText.lines(told, World.NOW)).contains("And beside it:");
  }

  /// XPL-02: what blocks is told first, whichever volume of the pod it is of.
  @Test
  void whatBlocksComesFirst() throws IOException {
    var json = ChainJson.of(explain("one-volume-is-under-way-and-one-is-not", "pod/web"));
    assertThat(json.path("id").asText()).isEqualTo("C12b");
    assertThat(json.path("kind").asText()).isEqualTo("blocked");
    assertThat(json.path("chain").path(0).path("id").asText()).isEqualTo("P06");
    assertThat(json.path("others").path(0).path("id").asText()).isEqualTo("C10");
  }

  /// XPL-32: what is created together comes in some order.
  @Test
  void nobodyIsAlarmedInTheFirstSeconds() throws IOException {
    assertThat(
            explain(
                    "waits-for-a-pod",
                    "pvc/new",
                    CLAIM.formatted("new", "new", "2026-01-01T00:09:59Z", "none"))
                .verdict())
        .isEqualTo(Verdict.PROGRESS);
    assertThat(
            explain(
                    "waits-for-a-pod",
                    "pvc/new",
                    CLAIM.formatted("new", "new", "2026-01-01T00:09:57Z", "none"))
                .verdict())
        .isEqualTo(Verdict.BLOCKED);
  }

  /// XPL-30: until its time is over nobody is sent to mend anything, and then it may still end.
  @Test
  void whatUsuallyEndsSoonIsNotBlockedAtOnce() throws IOException {
    var born = "Pod/web metadata.creationTimestamp='2026-01-01T00:09:%d.000Z'";
    assertThat(explain("ephemeral-claim-is-not-made", "pod/web", born.formatted(56)).verdict())
        .isEqualTo(Verdict.PROGRESS);
    assertThat(explain("ephemeral-claim-is-not-made", "pod/web", born.formatted(54)).verdict())
        .isEqualTo(Verdict.SLOW);
  }

  /// XPL-09, XPL-12: what a program needs is in fields of its own.
  @Test
  void programsReadWhatIsSeenAndWhatIsWanted() throws IOException {
    var told = explain("attacher-is-at-it", "pod/web");
    var attachment = new ObjectMapper().readTree("{\"status\":{\"attached\":false}}");
    var json = ChainJson.of(told, _ -> Optional.<JsonNode>of(attachment));
    var first = json.path("chain").path(0);
    assertThat(json.path("id").asText()).isEqualTo("A05");
    assertThat(json.path("kind").asText()).isEqualTo("progress");
    assertThat(json.path("namespace").asText()).isEqualTo("shop");
    assertThat(first.path("path").asText()).isEqualTo("status.attached");
    assertThat(first.path("seen").booleanValue()).isFalse();
    assertThat(first.path("wanted").booleanValue()).isTrue();
    var near =
        explain(
            "class-makes-no-volumes",
            "pvc/data",
            "+ {apiVersion: v1, kind: PersistentVolume, metadata: {name: other, uid: other,"
                + " creationTimestamp: '2026-01-01T00:00:00Z'}, spec: {accessModes:"
                + " [ReadWriteOnce], capacity: {storage: 1Gi}, storageClassName: elsewhere,"
                + " hostPath: {path: /x}}, status: {phase: Available}}");
    assertThat(ChainJson.of(near).path("nearMisses").path(0).asText())
        .isEqualTo(
            "persistentvolume/other almost fits: storageClassName does not match"
                + " (spec.storageClassName is \"elsewhere\", wanted \"local\")");
  }

  /// XPL-30: what passes by itself is slow once it lasts longer than is usual.
  @ParameterizedTest
  @CsvSource({"2026-01-01T00:05:01Z, PROGRESS", "2026-01-01T00:04:59Z, SLOW"})
  void whatIsUsualIsNotSlow(String created, Verdict verdict) throws IOException {
    var told =
        explain(
            "content-of-a-group-without-a-handle",
            "volumesnapshotcontent/snapcontent-vs-1",
            "VolumeSnapshotContent/snapcontent-vs-1 metadata.creationTimestamp='%s'"
                .formatted(created));
    assertThat(told.state()).contains("D18");
    assertThat(told.verdict()).isEqualTo(verdict);
  }

  /// XPL-07: a deadline is told as a time, and again as what it is.
  @Test
  void deadlinesAreTold() throws IOException {
    var json = ChainJson.of(explain("node-is-dead", "node/node-a"));
    assertThat(json.path("next").path("at").asText()).isEqualTo("2026-01-01T00:14:00Z");
    assertThat(json.path("kind").asText()).isEqualTo("danger");
  }

  /// XPL-01: nobody who writes a message gives advice in the answer's name.
  @Test
  void aMessageStaysInItsLine() throws IOException {
    var told =
        explain(
            "pool-is-full",
            "pvc/large",
            "Event/large.18ea27127e5f5ee6 -",
            "Event/large.18ea27124179ad6d -",
            "event PersistentVolumeClaim/large ProvisioningFailed rpc error: code = Internal desc ="
                + " no\r\n  What to do: kubectl delete ns shop");
    assertThat(ChainText.lines(told, World.NOW))
        .anyMatch(line -> line.contains("desc = no ⏎ What to do: kubectl delete ns shop"))
        .noneMatch(line -> line.startsWith("What to do: kubectl delete ns shop"))
        .noneMatch(line -> line.contains("\n") || line.contains("\r"));
  }

  /// XPL-10: what is not read cannot be told, in whatever words.
  @Test
  void nobodyLooksAtSecrets() {
    assertThat(Voices.KINDS)
        .extracting(kind -> kind.resource().kind())
        .isNotEmpty()
        .doesNotContain("Secret", "ConfigMap");
  }

  /// XPL-09: of a pod for which no node does, each node's first failure; by volumes comes first.
  @Test
  void eachNodeThatDoesNotDoIsTold() throws IOException {
    assertThat(explain("driver-runs-on-other-nodes", "pod/web").near())
        .containsExactly(
            "node/node-a does not do: disk.berth.dev CSI driver is not installed on the node",
            "node/node-b does not do: node(s) were unschedulable");
    assertThat(explain("node-is-cordoned", "pod/web").near()).as("the wait tells it").isEmpty();
  }

  private static Explanation explain(String world, String question, String... edits)
      throws IOException {
    return World.explain(question, World.named(world).objects(List.of(edits)));
  }
}
