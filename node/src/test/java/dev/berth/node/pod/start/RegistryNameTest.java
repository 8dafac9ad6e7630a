package dev.berth.node.pod.start;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// For which images a login is good.
class RegistryNameTest {
  @ParameterizedTest
  @CsvSource({
    "registry.example, registry.example/app:1, true",
    "registry.example, other.example/app:1, false",
    "registry.example, app:1, false",
    "registry.example:5000, registry.example:5000/app, true",
    "registry.example:5000, registry.example/app, false",
    "https://registry.example/v2/, registry.example/team/app, true",
    "registry.example/team, registry.example/team/app, true",
    "registry.example/team, registry.example/other/app, false",
    "*.example, registry.example/app, true",
    "*.example, a.registry.example/app, false",
    "*.registry.example, a.registry.example/app, true",
    "https://index.docker.io/v1/, busybox, true",
    "https://index.docker.io/v1/, me/busybox:1, true",
    "https://index.docker.io/v1/, registry.example/app, false",
    "localhost:5000, localhost:5000/app, true",
  })
  void aLoginFits(String key, String image, boolean fits) {
    assertThat(RegistryName.of(key).fits(image)).isEqualTo(fits);
  }
}
