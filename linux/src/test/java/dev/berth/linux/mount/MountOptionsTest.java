package dev.berth.linux.mount;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

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

  @Test
  void wordsOfFstabAreNotForTheKernel() {
    assertThat(MountOptions.parse(List.of("defaults,_netdev", "nofail", "x-systemd.automount")))
        .isEqualTo(MountOptions.NONE);
  }
}
