package dev.berth.sidecar.secret;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.object.ObjectKey;
import dev.berth.sidecar.secret.SecretParameters.Resolved;
import dev.berth.sidecar.secret.SecretParameters.Unresolvable;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretParametersTest {
  private static final String NAME = "csi.storage.k8s.io/provisioner-secret-name";
  private static final String NAMESPACE = "csi.storage.k8s.io/provisioner-secret-namespace";

  private static SecretParameters.Resolution resolve(Map<String, String> parameters) {
    return SecretParameters.resolve(
        parameters,
        new TemplateSubject("pv-1", ObjectKey.of("shop", "data"), Map.of("team", "blue")));
  }

  @Test
  void aUseHasItsOwnSecretOrElseTheDefault() { // PROV-50
    var resolved =
        resolve(
            Map.of(
                NAME,
                "mine",
                NAMESPACE,
                "a",
                "csi.storage.k8s.io/secret-name",
                "common",
                "csi.storage.k8s.io/secret-namespace",
                "b"));

    assertThat(resolved)
        .isInstanceOfSatisfying(
            Resolved.class,
            it -> {
              assertThat(it.of(SecretUse.PROVISION)).contains(new SecretRef("a", "mine"));
              assertThat(it.of(SecretUse.NODE_STAGE)).contains(new SecretRef("b", "common"));
            });
  }

  @Test
  void withoutParametersThereIsNoSecret() {
    assertThat(resolve(Map.of("tier", "gold"))).isEqualTo(new Resolved(Map.of()));
  }

  @Test
  void deprecatedKeysMixWithNewOnesAsLongAsEachIsGivenOnce() {
    var resolved = resolve(Map.of("csiProvisionerSecretName", "old", NAMESPACE, "a"));

    assertThat(resolved)
        .isInstanceOfSatisfying(
            Resolved.class,
            it -> assertThat(it.of(SecretUse.PROVISION)).contains(new SecretRef("a", "old")));
  }

  @ParameterizedTest
  @CsvSource({
    "${pv.name}, pv-1",
    "${pvc.name}.${pvc.namespace}, data.shop",
    "x-${pvc.annotations['team']}, x-blue",
    "$word, unknown tokens [$word]",
    "${nobody}, unknown tokens [${nobody}]",
    "${pvc.annotations['other']}, unknown tokens",
    "a$, unknown tokens",
    "Upper, no DNS subdomain",
    "-x, no DNS subdomain",
  })
  void templatesOfNames(String template, String result) { // PROV-52
    switch (resolve(Map.of(NAME, template, NAMESPACE, "a"))) {
      case Resolved it ->
          assertThat(it.of(SecretUse.PROVISION)).contains(new SecretRef("a", result));
      case Unresolvable(var why) -> assertThat(why).contains(NAME).contains(result);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "${pvc.namespace}, shop",
    "${pvc.name}, unknown tokens",
    "a.b, no DNS label",
  })
  void templatesOfNamespaces(String template, String result) { // PROV-52, PROV-53
    switch (resolve(Map.of(NAME, "x", NAMESPACE, template))) {
      case Resolved it ->
          assertThat(it.of(SecretUse.PROVISION)).contains(new SecretRef(result, "x"));
      case Unresolvable(var why) -> assertThat(why).contains(result);
    }
  }

  @Test
  void halvesEmptyValuesAndDoublesAreRefused() {
    assertThat(resolve(Map.of(NAME, "x"))).isInstanceOf(Unresolvable.class);
    assertThat(resolve(Map.of(NAMESPACE, "x"))).isInstanceOf(Unresolvable.class);
    assertThat(resolve(Map.of(NAME, "", NAMESPACE, "a"))).isInstanceOf(Unresolvable.class);
    assertThat(resolve(Map.of(NAME, "x", NAMESPACE, "a", "csiProvisionerSecretName", "y")))
        .isInstanceOf(Unresolvable.class);
  }
}
