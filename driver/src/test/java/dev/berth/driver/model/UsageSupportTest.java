package dev.berth.driver.model;

import static dev.berth.driver.model.AccessMode.MULTI_NODE_MULTI_WRITER;
import static dev.berth.driver.model.AccessMode.SINGLE_NODE_MULTI_WRITER;
import static dev.berth.driver.model.AccessMode.SINGLE_NODE_SINGLE_WRITER;
import static dev.berth.driver.model.AccessMode.SINGLE_NODE_WRITER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.driver.model.UsageSupport.MountGroup;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UsageSupportTest {
  private static UsageSupport mounts(AccessMode... modes) {
    return new UsageSupport(Set.of(modes), Set.of(), Set.of(), MountGroup.NOT_SUPPORTED);
  }

  private static UsageSupport devices(AccessMode... modes) {
    return new UsageSupport(Set.of(), Set.of(modes), Set.of(), MountGroup.NOT_SUPPORTED);
  }

  @ParameterizedTest
  @EnumSource(names = {"SINGLE_NODE_SINGLE_WRITER", "SINGLE_NODE_MULTI_WRITER"})
  void whoTellsPathsFromNodesTakesTheOldWordToo(AccessMode mode) { // CAP-03
    assertThatThrownBy(() -> mounts(mode)).hasMessageContaining("need SINGLE_NODE_WRITER");
    assertThatThrownBy(() -> devices(mode)).hasMessageContaining("need SINGLE_NODE_WRITER");
    assertThat(mounts(mode, SINGLE_NODE_WRITER).singleNodeMultiWriter()).isTrue();
  }

  @Test
  void itIsAdvertisedWhereAModeNeedsIt() { // CAP-04
    assertThat(mounts(SINGLE_NODE_WRITER, MULTI_NODE_MULTI_WRITER).singleNodeMultiWriter())
        .isFalse();
    assertThat(devices(SINGLE_NODE_WRITER, SINGLE_NODE_SINGLE_WRITER).singleNodeMultiWriter())
        .isTrue();
    assertThat(devices(SINGLE_NODE_WRITER, SINGLE_NODE_MULTI_WRITER).singleNodeMultiWriter())
        .isTrue();
  }
}
