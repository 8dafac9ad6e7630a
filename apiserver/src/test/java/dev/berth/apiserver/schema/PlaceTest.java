package dev.berth.apiserver.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlaceTest {
  @Test
  void placesReadAsUpstreamWritesThem() {
    assertThat(Place.field("", "spec")).isEqualTo("spec");
    assertThat(Place.field(Place.element(Place.field("spec", "containers"), 2), "name"))
        .isEqualTo("spec.containers[2].name");
  }

  /// A hundred thousand fields below a name of megabytes would repeat it each (API-145).
  @Test
  void belowALongPlaceNothingIsRepeated() {
    var deep = Place.field("spec", "x".repeat(50_000));
    assertThat(Place.field(deep, "a")).isSameAs(deep);
    assertThat(Place.element(deep, 3)).isSameAs(deep);
  }

  @Test
  void ofALongNameTheBeginningIsTold() { // API-145
    assertThat(Place.field("", "x".repeat(50_000))).hasSize(1_003).endsWith("x...");
    assertThat(Place.field("spec", "x".repeat(50_000))).hasSizeLessThan(1_100);
  }
}
