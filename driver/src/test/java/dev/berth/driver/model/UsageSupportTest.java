package dev.berth.driver.model;

import static dev.berth.driver.model.AccessMode.MULTI_NODE_MULTI_WRITER;
import static dev.berth.driver.model.AccessMode.SINGLE_NODE_MULTI_WRITER;
import static dev.berth.driver.model.AccessMode.SINGLE_NODE_SINGLE_WRITER;
import static dev.berth.driver.model.AccessMode.SINGLE_NODE_WRITER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.driver.model.UsageSupport.MountGroup;
import java.util.HashSet;
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

  private static UsageSupport both(Set<AccessMode> mount, Set<AccessMode> block) {
    return new UsageSupport(mount, block, Set.of(), MountGroup.NOT_SUPPORTED);
  }

  private static final Set<AccessMode> WRITERS =
      Set.of(SINGLE_NODE_WRITER, SINGLE_NODE_SINGLE_WRITER, SINGLE_NODE_MULTI_WRITER);

  @ParameterizedTest
  @EnumSource(names = {"SINGLE_NODE_SINGLE_WRITER", "SINGLE_NODE_MULTI_WRITER"})
  void whoTellsPathsFromNodesTakesTheOldWordToo(AccessMode mode) { // CAP-03
    assertThatThrownBy(() -> mounts(mode)).hasMessageContaining("mount lacks");
    assertThatThrownBy(() -> devices(mode)).hasMessageContaining("block lacks");
  }

  @ParameterizedTest
  @EnumSource(
      names = {"SINGLE_NODE_WRITER", "SINGLE_NODE_SINGLE_WRITER", "SINGLE_NODE_MULTI_WRITER"})
  void allWordsForOneNodesWritersGoTogether(AccessMode missing) { // CAP-03, CAP-04
    var rest = new HashSet<>(WRITERS);
    rest.remove(missing);
    assertThatThrownBy(() -> both(rest, Set.of())).hasMessageContaining("mount lacks " + missing);
    assertThatThrownBy(() -> both(Set.of(), rest)).hasMessageContaining("block lacks " + missing);
    assertThatThrownBy(() -> both(WRITERS, rest)).hasMessageContaining("block lacks " + missing);
  }

  @Test
  void volumesThatOneNodeAloneNeverWritesToNeedNone() { // CAP-04
    assertThat(both(WRITERS, Set.of(MULTI_NODE_MULTI_WRITER)).singleNodeMultiWriter()).isTrue();
    assertThat(both(WRITERS, WRITERS).singleNodeMultiWriter()).isTrue();
    assertThat(UsageSupport.mountOnOneNode().singleNodeMultiWriter()).isTrue();
  }

  @Test
  void itIsAdvertisedWhereAModeNeedsIt() { // CAP-04
    assertThat(mounts(SINGLE_NODE_WRITER, MULTI_NODE_MULTI_WRITER).singleNodeMultiWriter())
        .isFalse();
    assertThat(both(Set.of(), WRITERS).singleNodeMultiWriter()).isTrue();
  }
}
