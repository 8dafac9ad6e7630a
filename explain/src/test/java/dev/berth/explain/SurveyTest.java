package dev.berth.explain;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.berth.explain.answer.Explanation;
import dev.berth.explain.answer.Gaps;
import dev.berth.explain.answer.Sight;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// All that is stuck, at a glance (XPL-23).
class SurveyTest {
  @Test
  void equalCausesAreToldOnce() throws IOException {
    var edits = new ArrayList<String>();
    for (var name : List.of("one", "two"))
      edits.add(
          "+ {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: %s, namespace: shop, uid: %s, creationTimestamp: '2026-01-01T00:01:00Z'}, spec: {accessModes: [ReadWriteOnce], storageClassName: fats, resources: {requests: {storage: 1Gi}}}, status: {phase: Pending}}"
              .formatted(name, name));
    var survey = survey("class-is-misspelt", edits, "shop");
    assertThat(survey.causes()).hasSize(1);
    assertThat(survey.lines(World.NOW))
        .anyMatch(line -> line.startsWith("Likewise: ") && line.contains("claim/two -n shop"))
        .last()
        .asString()
        .endsWith("4 stuck for 1 reasons, 0 go on by themselves");
    assertThat(survey.verdict()).isEqualTo(Explanation.Verdict.BLOCKED);
    assertThat(survey.json(Sight.NONE).path("causes").path(0).path("id").asText()).isEqualTo("C02");
  }

  @Test
  void aHealthyClusterHasNothingToTell() throws IOException { // XPL-22
    var survey = survey("healthy", List.of(), "");
    assertThat(survey.causes()).isEmpty();
    assertThat(survey.verdict().exitCode()).isZero();
  }

  @Test
  void anotherNamespaceIsNotLookedAt() throws IOException {
    assertThat(survey("class-is-misspelt", List.of(), "elsewhere").looked()).isZero();
  }

  /// XPL-11: who may not see the objects is not told that none of them is stuck.
  @Test
  void whatMayNotBeListedIsNamed() {
    var survey = refused("shop", Set.of());
    assertThat(survey.verdict()).isEqualTo(Explanation.Verdict.UNREADABLE);
    assertThat(survey.lines(World.NOW))
        .contains(
            "0 looked at: 0 stuck for 0 reasons, 0 go on by themselves",
            "May not be read, and could change the answer: persistentvolumeclaims, pods,"
                + " volumesnapshots.snapshot.storage.k8s.io")
        .anyMatch(line -> line.startsWith("Rights: ") && line.contains("--user=jane"));
    var json = survey.json(Sight.NONE);
    assertThat(json.path("kind").asText()).isEqualTo("unreadable");
    assertThat(json.path("unread")).hasSize(3);
    assertThat(json.path("rights").asText()).contains("persistentvolumeclaims");
  }

  @Test
  void whoMayReadOneNamespaceSeesNoOther() {
    assertThat(refused("shop", Set.of("shop")).verdict()).isEqualTo(Explanation.Verdict.CLEAR);
    assertThat(refused("shop", Set.of("shop")).gaps()).as("volumes are not looked at").isEmpty();
    var everywhere = refused("", Set.of("shop"));
    assertThat(everywhere.verdict()).isEqualTo(Explanation.Verdict.UNREADABLE);
    assertThat(everywhere.lines(World.NOW))
        .last(as(STRING))
        .contains("persistentvolumeclaims,persistentvolumes,pods");
    assertThat(everywhere.lines(World.NOW))
        .anyMatch(line -> line.contains("pods of other namespaces"));
  }

  /// Of somebody who may read these namespaces, where there is nothing.
  private static Survey refused(String asked, Set<String> readable) {
    var server =
        (Api)
            Proxy.newProxyInstance(
                Api.class.getClassLoader(),
                new Class<?>[] {Api.class},
                (_, _, arguments) -> {
                  if (readable.contains(arguments[1])) return new Api.Listing("1", List.of());
                  throw new ApiException(
                      403,
                      "Forbidden",
                      "%s is forbidden: User \"jane\" cannot list".formatted(arguments[0]));
                });
    var objects = new Reading(server, "shop").ofMany();
    return Survey.of(new Explainer(objects), objects, objects, asked, World.NOW);
  }

  private static Survey survey(String world, List<String> edits, String namespace)
      throws IOException {
    var objects = World.named(world).objects(edits);
    return Survey.of(new Explainer(objects), objects, Gaps.NONE, namespace, World.NOW);
  }
}
