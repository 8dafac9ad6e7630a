package dev.berth.node.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.node.volume.InUseReport.Report;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.ActualState;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A report that arrives when nobody waits for it any more (AD-63; seed 1797 of SimulationTest).
class InUseEffectsTest {
  private static final VolumeName A = new VolumeName("d", "a");
  private static final ObjectKey NODE = ObjectKey.cluster("n");

  private final List<Callable<?>> onTheirWay = new ArrayList<>();
  private EmbeddedApiServer server;
  private Api api;
  private InUseEffects effects;
  private boolean losing;

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedApiServer.start(new MemoryStore());
    api = new LocalApi(server, Runnable::run);
    var node = JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", "Node");
    node.putObject("metadata").put("name", "n");
    api.create(Resources.NODES, node);
    effects = new InUseEffects("n", slow(), new ActualState(Actual.NOTHING));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /// What is written while requests are lost is kept.
  private Api slow() {
    return (Api)
        Proxy.newProxyInstance(
            Api.class.getClassLoader(),
            new Class<?>[] {Api.class},
            (_, method, arguments) -> {
              try {
                if (!losing || !method.getName().equals("patchStatus"))
                  return method.invoke(api, arguments);
              } catch (InvocationTargetException refused) {
                throw refused.getCause();
              }
              onTheirWay.add(() -> method.invoke(api, arguments));
              throw new ApiException.Unreachable("lost", new IOException("lost"));
            });
  }

  private void report(VolumeName... names) {
    effects.carryOut(new Report(Set.of(names), Set.of(), Set.of(names)));
  }

  private Set<String> listed() {
    return Kinds.NODE.read().apply(api.get(Resources.NODES, NODE)).volumesInUse();
  }

  @Test
  void takesNothingOutOfALaterOne() {
    report(A);
    losing = true;
    assertThatThrownBy(this::report).isInstanceOf(ApiException.Unreachable.class);
    losing = false;
    report(A); // is wanted again
    report(A);
    assertThatThrownBy(onTheirWay.getFirst()::call).hasCauseInstanceOf(ApiException.LostRace.class);
    assertThat(listed()).containsExactly(A.toString());
  }

  @Test
  void isTakenIfNothingWasReportedMeanwhile() throws Exception {
    report(A);
    losing = true;
    assertThatThrownBy(this::report).isInstanceOf(ApiException.Unreachable.class);
    onTheirWay.getFirst().call();
    assertThat(listed()).isEmpty();
  }
}
