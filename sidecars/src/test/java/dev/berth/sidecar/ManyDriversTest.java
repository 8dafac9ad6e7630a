package dev.berth.sidecar;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.EXPAND_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.MODIFY_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME;
import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.VOLUME;
import static dev.berth.sidecar.testing.Objects.attachment;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.csiNode;
import static dev.berth.sidecar.testing.Objects.driver;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static dev.berth.sidecar.testing.Objects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.cache.Change;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger.OnKind;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.testing.World;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Twenty drivers do not cost twenty looks: what happens to an object concerns the driver that it
/// names.
class ManyDriversTest {
  private static final Facts OBJECTS =
      Facts.of(
          World.of(
                  storageClass(),
                  claim(),
                  claim().named("bound").with(VOLUME, "spec", "volumeName"),
                  volume(),
                  attachment(),
                  csiNode("n1"))
              .snapshot());

  /// It has all sidecars.
  private static final DriverFacts ABLE =
      driver(CREATE_DELETE_VOLUME, PUBLISH_UNPUBLISH_VOLUME, EXPAND_VOLUME, MODIFY_VOLUME);

  /// A change of these alone mostly concerns nobody; snapshots concern drivers that take them.
  private static final Set<Kind<?>> RARE =
      Stream.concat(
              Stream.of(Kinds.NODE, Kinds.POD, Kinds.ATTRIBUTES_CLASS, Kinds.STORAGE_CAPACITY),
              SnapshotKinds.ALL.stream())
          .collect(Collectors.toSet());

  /// What the sidecars follow.
  static final List<Kind<?>> kinds = DriverSidecars.KINDS;

  @ParameterizedTest
  @FieldSource("kinds")
  void aChangeIsLookedAtByTheDriverThatTheObjectNames(Kind<?> kind) {
    var others =
        IntStream.range(0, 20)
            .mapToObj(each ->
                new DriverFacts("other-" + each + ".example", ABLE.plugin(), ABLE.controller()));
    assertThat(others.flatMap(other -> looks(other, kind)))
        .as("keys of others than %s", DRIVER)
        .isEmpty();
    if (!RARE.contains(kind)) assertThat(looks(ABLE, kind)).isNotEmpty();
  }

  private static Stream<?> looks(DriverFacts driver, Kind<?> kind) {
    return SidecarDeciders.of(driver, SidecarOptions.DEFAULT).all().stream()
        .flatMap(concern -> keys(concern.decider(), kind));
  }

  private static <K> Stream<K> keys(Decider<K, ?, ?> decider, Kind<?> kind) {
    return decider.triggers().stream()
        .flatMap(trigger ->
            trigger instanceof OnKind<?, K> on && on.kind().equals(kind)
                ? keys(on)
                : Stream.empty());
  }

  /// Of each object as it comes and as it goes.
  private static <T extends KubeObject, K> Stream<K> keys(OnKind<T, K> on) {
    return OBJECTS.all(on.kind()).stream()
        .flatMap(object -> Stream.of(Change.came(object), Change.went(object)))
        .flatMap(change -> on.keys().apply(change, OBJECTS));
  }
}
