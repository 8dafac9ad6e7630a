package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.custom.rule.CelPrograms;
import dev.berth.apiserver.core.custom.rule.CelSource;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Nobody waits for the rules in CEL of somebody else's definition (API-123).
@Timeout(60)
class SlowRulesTest {
  private static final Resource PIES = new Resource("bakery.example", "v1", "pies", "Pie", true);

  /// Takes until it is told to go on.
  private final CountDownLatch compiling = new CountDownLatch(1);

  private final CountDownLatch goOn = new CountDownLatch(1);

  @Test
  void othersWriteWhileADefinitionIsCompiled() throws Exception {
    try (var server = EmbeddedApiServer.start(new MemoryStore(), this::slowly);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var defined =
          CompletableFuture.supplyAsync(
              () -> ask(server, define("self.spec.size != 1701")), threads);
      compiling.await();
      assertThat(ask(server, new Request.Create(Resources.CLAIMS, "default", World.claim("a"))))
          .isInstanceOf(Answer.Created.class);
      assertThat(defined).isNotDone();
      goOn.countDown();
      assertThat(defined.get()).isInstanceOf(Answer.Created.class);
      assertThat(ask(server, pie(1701))).isInstanceOf(Answer.Refused.class);
      assertThat(ask(server, pie(12))).isInstanceOf(Answer.Created.class);
    }
  }

  @Test
  void aPatchThatBringsRulesWaitsForThemAlone() throws Exception {
    try (var server = EmbeddedApiServer.start(new MemoryStore(), this::slowly);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      goOn.countDown();
      ask(server, define("self.spec.size != 1702"));
      var patch =
          World.yaml("{spec: {versions: [%s]}}".formatted(version("self.spec.size != 1703")));
      var change =
          new Request.Change(
              Resources.DEFINITIONS,
              ObjectKey.cluster("pies.bakery.example"),
              Part.MAIN,
              Patch.merge(patch));
      assertThat(threads.submit(() -> ask(server, change)).get()).isInstanceOf(Answer.Single.class);
      assertThat(ask(server, pie(1703))).isInstanceOf(Answer.Refused.class);
      assertThat(ask(server, pie(1702))).isInstanceOf(Answer.Created.class);
    }
  }

  private void slowly(Set<CelSource> rules) throws InterruptedException {
    compiling.countDown();
    goOn.await();
    CelPrograms.compile(rules);
  }

  private static Answer ask(ApiServer server, Request request) {
    try {
      return server.handle(request);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Request define(String rule) {
    var definition =
        """
        metadata: {name: pies.bakery.example}
        spec:
          group: bakery.example
          scope: Namespaced
          names: {plural: pies, kind: Pie}
          versions: [%s]
        """
            .formatted(version(rule));
    return new Request.Create(Resources.DEFINITIONS, "", World.yaml(definition));
  }

  private static String version(String rule) {
    return """
    {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object,
      x-kubernetes-validations: [{rule: "%s"}],
      properties: {spec: {type: object, properties: {size: {type: integer}}}}}}}
    """
        .formatted(rule);
  }

  private static Request pie(int size) {
    var pie =
        "{apiVersion: bakery.example/v1, kind: Pie, metadata: {name: a, namespace: default}, spec: {size: %d}}"
            .formatted(size);
    return new Request.Create(PIES, "default", World.yaml(pie));
  }
}
