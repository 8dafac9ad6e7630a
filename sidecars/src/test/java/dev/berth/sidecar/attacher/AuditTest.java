package dev.berth.sidecar.attacher;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.LIST_VOLUMES;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.LIST_VOLUMES_PUBLISHED_NODES;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME;
import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.attachment;
import static dev.berth.sidecar.testing.Objects.csiNode;
import static dev.berth.sidecar.testing.Objects.driver;
import static dev.berth.sidecar.testing.Objects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.ListVolumesResponse;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.fact.Told;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.Tree;
import io.grpc.Status.Code;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What is done when the driver says otherwise than the attachments.
class AuditTest {
  private static final DriverFacts LISTS =
      driver(PUBLISH_UNPUBLISH_VOLUME, LIST_VOLUMES, LIST_VOLUMES_PUBLISHED_NODES);
  private static final String OURS = Finalizers.attacher(DRIVER);

  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private void run(DriverFacts driver) {
    var told = new Told<>(Audit.TOPIC);
    bench.run(
        (api, events) ->
            Attacher.of(driver, AttacherOptions.DEFAULT, told).controller(bench.means(api, events)),
        bench.api(),
        Sources.of(told));
  }

  private static Tree attached() {
    return attachment()
        .with(true, "status", "attached")
        .finalizers(OURS)
        .annotated(Annotations.ATTACHMENT_NODE_ID, "id-of-n1");
  }

  private static ListVolumesResponse.Entry entry(String handle, String... nodes) {
    var entry = ListVolumesResponse.Entry.newBuilder();
    entry.getVolumeBuilder().setVolumeId(handle);
    entry.getStatusBuilder().addAllPublishedNodeIds(List.of(nodes));
    return entry.build();
  }

  private List<String> changes() {
    return bench.driver().calls().stream().filter(call -> !call.startsWith("List")).toList();
  }

  @Test
  void whatTheDriverHasLostIsAttachedAgain() { // ATT-66, ATT-68
    bench.driver().lists(entry("vol-0", "id-of-n9"), entry("vol-1"));
    bench.create(volume(), csiNode("n1"), attached().without("metadata", "finalizers"));
    run(LISTS);

    assertThat(bench.driver().calls())
        .containsExactly("ListVolumes  0", "ListVolumes 1 0", "Publish vol-1 id-of-n1"); // ATT-65
    var va = bench.get(Kinds.ATTACHMENT, "va-1");
    assertThat(va.attached()).isTrue();
    assertThat(va.metadata()).containsEntry("lun", "7");
    assertThat(va.meta().finalizers()).containsExactly(OURS);
  }

  @Test
  void whatAgreesIsLeftAlone() { // ATT-66
    bench.driver().lists(entry("vol-1", "id-of-n1"));
    bench.create(volume(), csiNode("n1"), attached());
    run(LISTS);

    assertThat(changes()).isEmpty();
  }

  @Test
  void whatIsNotListedIsNotAttached() { // ATT-66
    bench
        .driver()
        .lists(ListVolumesResponse.Entry.newBuilder(entry("vol-1")).clearStatus().build());
    bench.create(volume(), csiNode("n1"), attached());
    run(LISTS);

    assertThat(changes()).containsExactly("Publish vol-1 id-of-n1");

    bench.driver().lists();
    bench.pass(Duration.ofMinutes(1));
    assertThat(changes()).hasSize(2);
  }

  @Test
  void aListIsAskedForEveryMinute() { // ATT-65
    bench.driver().lists(entry("vol-1", "id-of-n1"));
    bench.create(volume(), csiNode("n1"), attached());
    run(LISTS);
    bench.driver().lists(entry("vol-1"));
    bench.pass(Duration.ofSeconds(59));
    assertThat(changes()).isEmpty();

    bench.pass(Duration.ofSeconds(1));
    assertThat(changes()).containsExactly("Publish vol-1 id-of-n1");
  }

  @Test
  void aRepairThatFailsIsTriedAgain() { // ATT-67, ATT-70
    bench.driver().lists(entry("vol-1"));
    bench.driver().refuses(Code.UNAVAILABLE, "not now");
    bench.create(volume(), csiNode("n1"), attached());
    run(LISTS);
    bench.pass(Duration.ofSeconds(1));

    assertThat(changes()).containsExactly("Publish vol-1 id-of-n1", "Publish vol-1 id-of-n1");
    bench.pass(Duration.ofSeconds(30));
    assertThat(changes()).hasSize(2);
  }

  @Test
  void whatIsListedOtherwiseForEverIsLeftAtLast() { // ATT-70
    bench.driver().lists(entry("vol-1"));
    bench.create(volume(), csiNode("n1"), attached());
    run(LISTS);
    bench.pass(Duration.ofMinutes(20));
    assertThat(changes()).hasSize(AuditDecision.ENOUGH);

    bench.driver().lists(entry("vol-1", "id-of-n1"));
    bench.pass(Duration.ofMinutes(1));
    bench.driver().lists(entry("vol-1"));
    bench.pass(Duration.ofMinutes(1));
    assertThat(changes()).hasSize(AuditDecision.ENOUGH + 1);
  }

  @Test
  void whatGoesAndIsAttachedStillIsDetachedAgain() { // ATT-67, ATT-68
    bench.driver().lists(entry("vol-1", "id-of-n1"));
    bench.create(
        volume(),
        csiNode("n1"),
        attached().with(false, "status", "attached").finalizers("example.com/held"));
    bench.delete(Resources.ATTACHMENTS, "va-1");
    run(LISTS);

    assertThat(changes()).containsExactly("Unpublish vol-1 id-of-n1");
    bench.pass(Duration.ofSeconds(59));
    assertThat(changes()).hasSize(1);
  }

  @Test
  void anotherDriversAttachmentIsNobodysConcern() { // ATT-69
    bench.driver().lists(entry("vol-1"));
    bench.create(volume(), csiNode("n1"), attached().with("other.example", "spec", "attacher"));
    run(LISTS);

    assertThat(changes()).isEmpty();
  }

  @Test
  void aDriverThatDoesNotSayWhereIsNotAsked() { // ATT-07
    bench.create(volume(), csiNode("n1"), attached());
    run(driver(PUBLISH_UNPUBLISH_VOLUME, LIST_VOLUMES));

    assertThat(bench.driver().calls()).isEmpty();
  }

  @Test
  void anInlineVolumeIsAttachedAsItIsDescribed() { // ATT-85
    bench.driver().lists(entry("vol-7", "id-of-n1"));
    bench.create(csiNode("n1"), inline());
    run(LISTS);

    assertThat(changes()).containsExactly("Publish vol-7 id-of-n1");
    bench.delete(Resources.ATTACHMENTS, "va-1");
    assertThat(changes()).containsExactly("Publish vol-7 id-of-n1", "Unpublish vol-7 id-of-n1");
    assertThat(bench.find(Kinds.ATTACHMENT, "va-1")).isEmpty();
  }

  private static Tree inline() {
    return attachment()
        .with(
            Tree.of(
                """
                {"inlineVolumeSpec": {"accessModes": ["ReadWriteOnce"],
                  "csi": {"driver": "disk.example", "volumeHandle": "vol-7"}}}
                """),
            "spec",
            "source");
  }
}
