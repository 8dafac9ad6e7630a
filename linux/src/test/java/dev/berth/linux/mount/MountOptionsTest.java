package dev.berth.linux.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MountOptionsTest {
  @Test
  void flagsAndOptionsOfTheFileSystemAreToldApart() {
    var options = MountOptions.parse(List.of("ro,noatime", "errors=remount-ro", "discard"));
    assertThat(options.flags()).containsExactlyInAnyOrder(MountFlag.RO, MountFlag.NOATIME);
    assertThat(options.ofFileSystem()).containsExactly("errors=remount-ro", "discard");
    assertThat(options).hasToString("ro,noatime,errors=remount-ro,discard");
  }

  @Test
  void aLaterWordTakesBackAnEarlierOne() {
    assertThat(MountOptions.parse(List.of("ro", "nodev", "rw")))
        .isEqualTo(MountOptions.of(MountFlag.NODEV));
    assertThat(MountOptions.parse(List.of("noatime", "strictatime")))
        .isEqualTo(MountOptions.of(MountFlag.STRICTATIME));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"ro,rw", "exec,discard,noexec", "noatime,relatime", "noatime,atime", "async,sync"})
  void twoWordsMayContradictEachOther(String words) {
    assertThat(MountOptions.isContradiction(List.of(words))).isTrue();
    assertThat(MountOptions.isContradiction(List.of(words.split(",")))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ro", "ro,ro,noatime,nodiratime,discard", "rw,exec,relatime"})
  void orGoTogether(String words) {
    assertThat(MountOptions.isContradiction(List.of(words))).isFalse();
  }

  @Test
  void wordsOfFstabAreNotForTheKernel() {
    assertThat(MountOptions.parse(List.of("defaults,_netdev", "nofail", "x-systemd.automount")))
        .isEqualTo(MountOptions.NONE);
  }
}
