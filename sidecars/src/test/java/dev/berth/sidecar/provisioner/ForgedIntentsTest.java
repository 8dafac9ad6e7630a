package dev.berth.sidecar.provisioner;

import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.PLAIN;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.onNode;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.provisioner.intent.Attributes;
import dev.berth.sidecar.provisioner.intent.Intent;
import dev.berth.sidecar.provisioner.intent.Recipe;
import dev.berth.sidecar.provisioner.topology.Segment;
import dev.berth.sidecar.provisioner.topology.Segments;
import dev.berth.sidecar.source.Source;
import dev.berth.sidecar.testing.Bench;
import io.grpc.Status.Code;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Whoever may write a claim may write its annotations: what stands there is believed only as far
/// as class, source and name bear it out (PROV-191).
class ForgedIntentsTest {
  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private record Row(String words, BiFunction<Recipe, String, Intent> forged) {
    @Override
    public String toString() {
      return words;
    }
  }

  static final List<Row> rows =
      List.of(
          new Row(
              "another's volume by its name",
              (recipe, _) -> intent(recipe, "pvc-of-somebody-else", Optional.empty())),
          new Row(
              "parameters, with a Secret of another namespace",
              (recipe, volume) ->
                  intent(
                      with(
                          recipe,
                          Map.of(
                              "csi.storage.k8s.io/provisioner-secret-name", "root",
                              "csi.storage.k8s.io/provisioner-secret-namespace", "kube-system")),
                      volume,
                      Optional.empty())),
          new Row(
              "a class that is not the claim's",
              (recipe, volume) -> intent(named(recipe, "gold"), volume, Optional.empty())),
          new Row(
              "another's snapshot",
              (recipe, volume) ->
                  intent(
                      recipe,
                      volume,
                      Optional.of(
                          new Source.OfSnapshot(ObjectKey.of("shop", "mine"), "snap-of-another")))),
          new Row(
              "another's volume as a source",
              (recipe, volume) ->
                  intent(
                      recipe,
                      volume,
                      Optional.of(
                          new Source.OfClaim(ObjectKey.of("shop", "mine"), "vol-of-another")))),
          new Row(
              "attributes of no class",
              (recipe, volume) ->
                  new Intent(
                      DRIVER,
                      volume,
                      Optional.empty(),
                      recipe,
                      Optional.empty(),
                      Optional.empty(),
                      Optional.of(new Attributes("none", Map.of("iops", "9999"))))));

  private static Intent intent(Recipe recipe, String volume, Optional<Source> source) {
    return new Intent(
        DRIVER, volume, Optional.empty(), recipe, Optional.empty(), source, Optional.empty());
  }

  private static Recipe with(Recipe recipe, Map<String, String> more) {
    var parameters = new HashMap<>(recipe.parameters());
    parameters.putAll(more);
    return new Recipe(
        recipe.className(),
        recipe.classUid(),
        recipe.provisioner(),
        parameters,
        recipe.mountOptions(),
        recipe.reclaimPolicy());
  }

  private static Recipe named(Recipe recipe, String name) {
    return new Recipe(
        name,
        recipe.classUid(),
        recipe.provisioner(),
        recipe.parameters(),
        recipe.mountOptions(),
        recipe.reclaimPolicy());
  }

  @ParameterizedTest
  @FieldSource("rows")
  void isNotCarriedOut(Row row) {
    bench.create(storageClass(), storageClass().named("gold"), claim());
    write(row.forged().apply(recipe(), bench.volumeName()));
    run();
    bench.pass(Duration.ofMinutes(5));

    assertThat(bench.driver().calls()).noneMatch(call -> call.startsWith("CreateVolume"));
    assertThat(bench.all(Kinds.VOLUME)).isEmpty();
    assertThat(bench.events())
        .anyMatch(event -> event.contains("ProvisioningFailed"))
        .noneMatch(event -> event.contains("snap-of-another"));
  }

  /// Nobody comes by a volume in a zone that the class forbids, nor by one in no zone.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatTheClassForbidsIsNotMade(boolean placed) { // PROV-85, PROV-191
    var forbids =
        storageClass()
            .with(
                List.of(
                    Map.of(
                        "matchLabelExpressions",
                        List.of(Map.of("key", "zone", "values", List.of("elsewhere"))))),
                "allowedTopologies");
    bench.create(forbids, claim());
    var here = new Segments(List.of(Segment.of(Map.of("zone", "here"))), 0);
    write(
        new Intent(
            DRIVER,
            bench.volumeName(),
            Optional.of("node-1"),
            recipe(),
            Optional.of(here).filter(_ -> placed),
            Optional.empty(),
            Optional.empty()));
    run(onNode("node-1", "here"));
    bench.pass(Duration.ofMinutes(5));

    assertThat(bench.driver().calls()).noneMatch(call -> call.startsWith("CreateVolume"));
    assertThat(bench.all(Kinds.VOLUME)).isEmpty();
    assertThat(bench.events()).anyMatch(event -> event.contains("does not allow where"));
  }

  /// Whoever made it cannot tell any more what it was; a person can.
  @Test
  void aClassThatIsGoneIsToldWithAWayOut() { // PROV-71, PROV-191
    bench.driver().refuses(Code.DEADLINE_EXCEEDED, "busy");
    bench.create(storageClass(), claim());
    run();
    bench.kill();
    bench.delete(
        Resources.STORAGE_CLASSES,
        Kinds.STORAGE_CLASS.read().apply(storageClass().json()).meta().name());
    run();
    bench.pass(Duration.ofMinutes(5));

    assertThat(bench.events()).anyMatch(event -> event.contains("Remove the annotation"));
  }

  /// What a provisioner has begun goes on in the next one, also if the class was made anew as it
  /// was.
  @Test
  void whatWasBegunGoesOnAfterARestart() { // PROV-190, PROV-191
    bench.driver().refuses(Code.DEADLINE_EXCEEDED, "busy");
    bench.create(storageClass(), claim());
    run();
    bench.kill();
    var name = Kinds.STORAGE_CLASS.read().apply(storageClass().json()).meta().name();
    bench.delete(Resources.STORAGE_CLASSES, name);
    bench.create(storageClass());
    run();
    bench.pass(Duration.ofMinutes(5));

    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
  }

  /// Nor does its author get what the class says now when it has changed.
  @Test
  void aClassThatSaysSomethingElseIsNotTakenForTheSame() { // PROV-71, PROV-191
    bench.driver().refuses(Code.DEADLINE_EXCEEDED, "busy");
    bench.create(storageClass(), claim());
    run();
    bench.kill();
    var name = Kinds.STORAGE_CLASS.read().apply(storageClass().json()).meta().name();
    bench.delete(Resources.STORAGE_CLASSES, name);
    bench.create(storageClass().with(Map.of("tier", "other"), "parameters"));
    run();
    bench.pass(Duration.ofMinutes(5));

    assertThat(bench.all(Kinds.VOLUME)).isEmpty();
    assertThat(bench.events()).anyMatch(event -> event.contains("says something else by now"));
  }

  private Recipe recipe() {
    return Recipe.of(
        bench.all(Kinds.STORAGE_CLASS).stream()
            .filter(it -> !it.meta().name().equals("gold"))
            .findFirst()
            .orElseThrow());
  }

  private void write(Intent intent) {
    var meta = bench.json(Resources.CLAIMS, "data").withObject("/metadata");
    var finalizers = new ArrayList<String>();
    meta.path("finalizers").forEach(each -> finalizers.add(each.asText()));
    finalizers.add(Finalizers.PROVISIONING);
    var patch = JsonNodeFactory.instance.objectNode();
    var wanted = patch.withObject("/metadata");
    finalizers.forEach(wanted.withArray("finalizers")::add);
    wanted.withObject("/annotations").put(Annotations.PROVISIONING_INTENT, intent.write());
    bench.patch(Resources.CLAIMS, "data", patch.toString());
  }

  private void run() {
    run(PLAIN);
  }

  private void run(DriverFacts driver) {
    bench.run((api, events) ->
        Provisioner.of(driver, ProvisionerOptions.DEFAULT)
            .controller(bench.means(bench.driver(), api, events)));
  }
}
