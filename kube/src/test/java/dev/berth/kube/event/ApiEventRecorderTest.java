package dev.berth.kube.event;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.key;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.testing.MemoryServer;
import dev.berth.kube.testing.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ApiEventRecorderTest {
  private static final Ref A = new Ref(KIND.resource(), key("a"), "uid-a");

  private final VirtualTime time = new VirtualTime(1);
  private final MemoryServer server = new MemoryServer();
  private final EventRecorder recorder = new ApiEventRecorder(server, time, "painter", "node-a");

  private List<ObjectNode> events() {
    time.settle();
    return server.list(Resources.EVENTS, "", Selector.ALL).items();
  }

  @Test
  void anEventHasTheFieldsThatKubectlShows() {
    recorder.tell(Notice.warning(A, "OutOfPaint", "no red left"));
    assertThat(events()).hasSize(1);
    var event = events().getFirst();
    assertThat(event.at("/metadata/namespace").asText()).isEqualTo("ns");
    assertThat(event.at("/metadata/name").asText()).matches("a\\.[0-9a-f]{15,16}");
    assertThat(event.path("involvedObject").toString())
        .isEqualTo(
            """
            {"apiVersion":"test/v1","kind":"Thing","name":"a","namespace":"ns","uid":"uid-a"}\
            """);
    assertThat(event.path("type").asText()).isEqualTo("Warning");
    assertThat(event.path("reason").asText()).isEqualTo("OutOfPaint");
    assertThat(event.path("message").asText()).isEqualTo("no red left");
    assertThat(event.at("/source/component").asText()).isEqualTo("painter");
    assertThat(event.at("/source/host").asText()).isEqualTo("node-a");
    assertThat(event.path("reportingComponent").asText()).isEqualTo("painter");
    assertThat(event.path("firstTimestamp").asText()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(event.path("count").asInt()).isEqualTo(1);
  }

  @Test
  void whatIsToldInAnothersNameHasIt() { // VOC-03
    recorder.tell(Notice.normal(A, "Wet", "wet paint").toldBy("inspector"));
    recorder.tell(Notice.normal(A, "Wet", "wet paint"));
    assertThat(events())
        .extracting(it -> it.at("/source/component").asText())
        .containsExactlyInAnyOrder("inspector", "painter");
    assertThat(events())
        .extracting(it -> it.path("reportingComponent").asText())
        .containsExactlyInAnyOrder("inspector", "painter");
  }

  @Test
  void whatHappensAgainIsCounted() {
    recorder.tell(Notice.normal(A, "Wet", "wet paint"));
    time.advance(Duration.ofMinutes(1));
    recorder.tell(Notice.normal(A, "Wet", "wet paint"));
    recorder.tell(Notice.normal(A, "Wet", "wet paint"));
    recorder.tell(Notice.normal(A, "Wet", "very wet paint"));
    assertThat(events()).extracting(it -> it.path("count").asInt()).containsExactly(3, 1);
    assertThat(events().getFirst().path("lastTimestamp").asText())
        .isEqualTo("2026-01-01T00:01:00Z");
  }

  @Test
  void anEventWhoseTimeWasUpIsBegunAnew() {
    recorder.tell(Notice.normal(A, "Wet", "wet paint"));
    var first = Meta.of(events().getFirst()).key();
    server.delete(Resources.EVENTS, first, DeleteOptions.DEFAULT);
    recorder.tell(Notice.normal(A, "Wet", "wet paint"));
    assertThat(events()).hasSize(1);
  }

  @Test
  void aClusterScopedObjectIsToldOfInDefault() {
    recorder.tell(Notice.normal(Ref.of(Resources.NODES, ObjectKey.cluster("n")), "Up", "is up"));
    assertThat(events()).extracting(it -> Meta.of(it).namespace()).containsExactly("default");
  }

  @Test
  void anObjectIsNotToldOfWithoutEnd() {
    for (int i = 0; i < 100; i++) recorder.tell(Notice.normal(A, "Wet", "coat " + i));
    assertThat(events()).hasSize(25);
    time.advance(Duration.ofMinutes(5));
    recorder.tell(Notice.normal(A, "Wet", "another coat"));
    recorder.tell(Notice.normal(A, "Wet", "yet another coat"));
    assertThat(events()).hasSize(26);
  }

  @Test
  void anUnreachableServerIsTriedAFewTimes() {
    server.fail(
        Optional.of(new ApiException.Unreachable("no route", new RuntimeException("test"))));
    recorder.tell(Notice.normal(A, "Wet", "wet paint"));
    recorder.tell(Notice.normal(A, "Wet", "very wet paint"));
    time.advance(Duration.ofSeconds(3));
    server.fail(Optional.empty());
    time.advance(Duration.ofSeconds(10));
    assertThat(events()).hasSize(2);
    assertThat(time.pending()).isZero();
  }
}
