package dev.berth.sidecar.provisioner;

import static dev.berth.sidecar.testing.Objects.PLAIN;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.api.Api;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Meta;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.Binder;
import dev.berth.sidecar.testing.LateRemovals;
import io.grpc.Status.Code;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a refused attempt takes off its claim does not go from a later one, of which nobody knows
/// what came of it (PROV-191).
class LateRemovalsTest {
  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private void run(Api door) {
    bench.run(
        (api, events) ->
            Provisioner.of(PLAIN, ProvisionerOptions.DEFAULT)
                .controller(bench.means(bench.driver(), api, events)),
        door);
  }

  private Meta data() {
    return bench.get(Kinds.CLAIM, "data").meta();
  }

  private void assertHeld() {
    assertThat(data().finalizers()).contains(Finalizers.PROVISIONING);
    assertThat(data().hasAnnotation(Annotations.PROVISIONING_INTENT)).isTrue();
  }

  private void assertServed() {
    bench.pass(Duration.ofSeconds(10));
    assertThat(bench.driver().volumes()).hasSize(1);
    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
    new Binder(bench.api()).work();
    bench.pass(Duration.ofSeconds(1));
    assertThat(data().finalizers()).doesNotContain(Finalizers.PROVISIONING);
    assertThat(data().hasAnnotation(Annotations.PROVISIONING_INTENT)).isFalse();
  }

  @Test
  void ofAnotherProcess() {
    bench.create(storageClass(), claim());
    var slow = new LateRemovals(bench.api());
    bench.driver().refuses(Code.INTERNAL, "no");
    run(slow);
    bench.kill();
    bench.driver().refuses(Code.DEADLINE_EXCEEDED, "who knows");
    run(bench.api());

    slow.arrive();

    assertHeld();
    assertServed();
  }

  @Test
  void ofThisOne() {
    bench.create(storageClass(), claim());
    var slow = new LateRemovals(bench.api());
    bench.driver().refuses(Code.INTERNAL, "no");
    run(slow);
    bench.driver().refuses(Code.DEADLINE_EXCEEDED, "who knows");
    bench.pass(Duration.ofSeconds(1));

    slow.arrive();

    assertHeld();
  }
}
