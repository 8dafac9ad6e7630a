package dev.berth.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a pod and its volume have gone through, by what fields say (XPL-06, XPL-13).
class TimelineTest {
  @Test
  void eachStepStandsWhereItWasTaken() throws IOException {
    var objects =
        World.named("healthy")
            .objects(
                List.of(
                    "Pod/web metadata.deletionTimestamp='2026-01-01T00:09:30Z'",
                    "Pod/web metadata.deletionGracePeriodSeconds=30"));
    var pod = Kinds.POD.ref(ObjectKey.of("shop", "web"));
    assertThat(Timeline.of(pod, objects).lines())
        .containsExactly(
            "2026-01-01T00:00:30Z  +0 s       L01  persistentvolumeclaim/data is created",
            "2026-01-01T00:00:35Z  +5 s       L05  persistentvolume/pv-1 is created",
            "2026-01-01T00:00:40Z  +5 s       L03  pod/web is created",
            "2026-01-01T00:00:40Z  +0 s       L07  pod/web is on node node-a",
            "2026-01-01T00:00:45Z  +5 s       L08 "
                + " volumeattachment/csi-811b270fe2f13a393180f9c9565dddda6acbc72a0317becd033e39529ac816dd"
                + " is created",
            "2026-01-01T00:01:00Z  +15 s      L11  container app runs",
            "2026-01-01T00:09:00Z  +8 m 0 s   L12  pod/web is to go");
  }
}
