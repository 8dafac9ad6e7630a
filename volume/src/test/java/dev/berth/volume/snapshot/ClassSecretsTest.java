package dev.berth.volume.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.snapshot.ClassSecrets.Resolved;
import dev.berth.volume.snapshot.ClassSecrets.Subject;
import dev.berth.volume.snapshot.ClassSecrets.Unresolvable;
import dev.berth.volume.snapshot.ClassSecrets.Use;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a snapshot class names, in upstream's words where it names it wrongly.
final class ClassSecretsTest {
  private static final String NAME = "csi.storage.k8s.io/snapshotter-secret-name";
  private static final String NAMESPACE = "csi.storage.k8s.io/snapshotter-secret-namespace";
  private static final Subject SNAPSHOT =
      Subject.snapshot("snapcontent-1", ObjectKey.of("shop", "monday"));

  /// SNAP-16.
  @ParameterizedTest
  @CsvSource({
    "fixed,             vault,                                 vault/fixed",
    "${volumesnapshot.name}, ${volumesnapshot.namespace},      shop/monday",
    "s-${volumesnapshotcontent.name}, ${volumesnapshot.namespace}, shop/s-snapcontent-1",
  })
  void templatesAreFilledIn(String name, String namespace, String expected) {
    var parts = expected.split("/", 2);
    assertThat(
            ClassSecrets.resolve(Use.SNAPSHOT, Map.of(NAME, name, NAMESPACE, namespace), SNAPSHOT))
        .isEqualTo(new Resolved(Optional.of(new SecretRef(parts[0], parts[1]))));
  }

  /// SNAP-16: the snapshot's name is none of the namespace's tokens.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "${pvc.name} | vault | error resolving value \"${pvc.name}\": invalid tokens:"
            + " [\"pvc.name\"]",
        "s | ${volumesnapshot.name} | error resolving value \"${volumesnapshot.name}\":"
            + " invalid tokens: [\"volumesnapshot.name\"]",
        "Big | vault | \"Big\" is not a valid secret name",
        "s | a.b | \"a.b\" is not a valid namespace name",
        "X${volumesnapshot.name} | vault | \"X${volumesnapshot.name}\" resolved to \"Xmonday\""
            + " which is not a valid secret name",
      })
  void wrongTemplatesAreNamed(String name, String namespace, String why) {
    assertThat(
            ClassSecrets.resolve(Use.SNAPSHOT, Map.of(NAME, name, NAMESPACE, namespace), SNAPSHOT))
        .isEqualTo(new Unresolvable(why));
  }

  /// SNAP-16: both or none.
  @Test
  void pairsStandTogether() {
    assertThat(ClassSecrets.resolve(Use.SNAPSHOT, Map.of(), SNAPSHOT))
        .isEqualTo(new Resolved(Optional.empty()));
    assertThat(ClassSecrets.resolve(Use.SNAPSHOT, Map.of(NAME, "s"), SNAPSHOT))
        .isEqualTo(
            new Unresolvable(
                "failed to get name and namespace template from params: either name and namespace"
                    + " for Snapshotter secrets specified, Both must be specified"));
    assertThat(ClassSecrets.resolve(Use.SNAPSHOT, Map.of(NAME, "s", NAMESPACE, ""), SNAPSHOT))
        .isEqualTo(
            new Unresolvable(
                "failed to get name and namespace template from params: Snapshotter secrets"
                    + " specified in parameters but value of either namespace or name is empty"));
  }

  /// SNAP-17: who does not look at snapshots fills in a content's name alone.
  @Test
  void contentAloneFillsInItsName() {
    var parameters =
        Map.of(
            "csi.storage.k8s.io/snapshotter-list-secret-name", "${volumesnapshotcontent.name}",
            "csi.storage.k8s.io/snapshotter-list-secret-namespace", "${volumesnapshot.namespace}");
    assertThat(ClassSecrets.resolve(Use.LIST, parameters, Subject.content("c")))
        .isInstanceOf(Unresolvable.class);
    assertThat(ClassSecrets.resolve(Use.LIST, parameters, SNAPSHOT))
        .isEqualTo(new Resolved(Optional.of(new SecretRef("shop", "snapcontent-1"))));
  }

  /// SNAP-15: none of ours reaches the driver, and none that nobody knows.
  @Test
  void reservedParametersAreOurs() {
    var parameters = Map.of(NAME, "s", NAMESPACE, "n", "tier", "gold");
    assertThat(ClassParameters.forDriver(parameters)).isEqualTo(Map.of("tier", "gold"));
    assertThat(ClassParameters.unknown(parameters)).isEmpty();
    var odd = Map.of("csi.storage.k8s.io/speed", "high");
    assertThat(ClassParameters.unknown(odd)).contains("csi.storage.k8s.io/speed");
    assertThat(ClassParameters.reserved("csi.storage.k8s.io/speed"))
        .isEqualTo(
            "found unknown parameter key \"csi.storage.k8s.io/speed\" with reserved namespace"
                + " csi.storage.k8s.io/");
  }

  @Test
  void wordsAreQuotedAsGoQuotesThem() {
    assertThat(GoWords.quoted("a \"b\"\n\\")).isEqualTo("\"a \\\"b\\\"\\n\\\\\"");
  }
}
