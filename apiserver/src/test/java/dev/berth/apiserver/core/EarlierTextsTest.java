package dev.berth.apiserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Refusal;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// An earlier release stored empty texts as they came. Its objects can still be changed (API-105).
class EarlierTextsTest {
  private static final String JOB =
      """
      metadata: {namespace: default, name: work}
      spec:
        template:
          spec:
            restartPolicy: Never
            containers: [{name: app, image: host}]
      """;

  /// What a world has stored, with an empty text put in, as a server finds it that starts.
  private static World restarted(World world, Resource resource, String pointer, String... fields) {
    var objects = new HashMap<Resource, SortedMap<ObjectKey, Stored>>();
    for (var kind : world.state().kinds().stored()) {
      var all = new TreeMap<ObjectKey, Stored>();
      for (var each : world.state().list(kind)) {
        var object = each.object().deepCopy();
        if (kind.equals(resource))
          for (var field : fields) ((ObjectNode) object.at(pointer)).put(field, "");
        var json = object.toString().getBytes(StandardCharsets.UTF_8);
        all.put(each.key(), Stored.ofJson(each.key(), each.created(), each.revision(), json));
      }
      objects.put(kind, all);
    }
    var state = State.of(world.state().revision(), objects);
    world.take(new Outcome(state, new Answer.Done(Refusal.success(200)), List.of()));
    return world;
  }

  private static void assertLabelled(Answer answer) {
    assertThat(CoreRule.object(answer).at("/metadata/labels/a").asText()).isEqualTo("b");
  }

  private static Answer label(World world, Resource resource, String key) {
    return world.merge(resource, key, "{metadata: {labels: {a: b}}}");
  }

  @Test
  void aPodIsLabelled() {
    var pod = Samples.vary(Samples.POD, "image: host", "image: host, env: [{name: A, value: x}]");
    var world = new World().with(Resources.PODS, pod);
    restarted(world, Resources.PODS, "/spec/containers/0/env/0", "value");
    assertLabelled(label(world, Resources.PODS, "default/web"));
  }

  @Test
  void aJobIsLabelledAndItsTemplateStays() {
    var world = new World().with(Resources.JOBS, JOB);
    restarted(world, Resources.JOBS, "/spec/template/spec", "hostname", "subdomain");
    assertLabelled(label(world, Resources.JOBS, "default/work"));
  }

  @Test
  void aVolumeGetsAFinalizer() {
    var world = new World().with(Resources.VOLUMES, Samples.VOLUME);
    restarted(world, Resources.VOLUMES, "/spec/csi", "fsType");
    var answer =
        world.merge(Resources.VOLUMES, "pv-1", "{metadata: {finalizers: [external-attacher/x]}}");
    assertThat(CoreRule.object(answer).at("/metadata/finalizers")).hasSize(1);
  }

  /// Whoever reads it finds what one who creates it today would.
  @Test
  void whatStandsForSomethingStays() {
    var claim = Samples.vary(Samples.CLAIM, "spec:", "spec:\n  storageClassName: ''");
    var world = new World().with(Resources.CLAIMS, claim);
    restarted(world, Resources.CLAIMS, "/spec", "volumeName");
    var spec = world.get(Resources.CLAIMS, "default/data").path("spec");
    assertThat(spec.path("storageClassName").isTextual()).isTrue();
    assertThat(spec.has("volumeName")).isFalse();
  }
}
