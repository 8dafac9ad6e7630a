package dev.berth.driver.baremetal.manager.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.driver.baremetal.manager.DriveNames;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.DriveType;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which of a machine's disks are given to the driver by rules (BM-59).
class ConsentTest {
  private static final SysfsDisk DISK =
      new SysfsDisk(
          "sda",
          Path.of("/sys/block/sda"),
          "b8:0",
          DriveNames.of(new DriveIdentity("ATA", "Samsung SSD 870", "S5Y1NG0")),
          DriveType.SSD,
          1L << 40);

  private static boolean given(List<String> included, List<String> excluded) {
    return Consent.of(false, Set.of(), included, excluded).to(DISK, true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "type=SSD",
        "type=ssd,size>=1Ti",
        "size<=1Ti",
        "size>=900G,size<=2T",
        "pid=samsung*",
        "vid=ata,pid=*870",
        "serial=S5*0"
      })
  void ofAllThatARuleSaysEachHolds(String rule) {
    assertThat(given(List.of(rule), List.of())).isTrue();
    assertThat(given(List.of("type=HDD", rule), List.of())).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"type=HDD", "type=SSD,size>=2Ti", "size<=900G", "pid=870", "serial=S5.1NG0"})
  void oneThatDoesNotHoldIsEnough(String rule) {
    assertThat(given(List.of(rule), List.of())).isFalse();
  }

  /// BM-59, BM-211: who is excluded is not taken, whatever else is said; who is included has to be
  /// blank.
  @Test
  void exclusionWins() {
    assertThat(given(List.of("type=SSD"), List.of("pid=Samsung*"))).isFalse();
    assertThat(given(List.of("type=SSD"), List.of("type=HDD"))).isTrue();
    var all = Consent.of(true, Set.of("S5Y1NG0"), List.of(), List.of("size>=1Ti"));
    assertThat(all.to(DISK, true)).isFalse();
    assertThat(Consent.of(false, Set.of(), List.of("type=SSD"), List.of()).to(DISK, false))
        .isFalse();
    assertThat(Consent.of(false, Set.of("s5y1ng0"), List.of(), List.of()).to(DISK, false)).isTrue();
  }

  /// BM-59: as long as not every layer has said what a disk is called, it may be one that is
  /// excluded by its name, and what is given once is not taken back.
  @Test
  void aDiskWhoseNamesAreNotAllKnownMayBeExcluded() {
    var names = DISK.names();
    var silent =
        new SysfsDisk(
            "sda",
            DISK.folder(),
            "b8:0",
            new DriveNames(
                names.identity(), true, false, names.vids(), names.pids(), names.serials()),
            DriveType.SSD,
            1L << 40);
    for (var rule : List.of("serial=W1*", "size>=1Ki, pid=Other*")) {
      var all = Consent.of(true, Set.of(), List.of("type=SSD"), List.of(rule));
      assertThat(all.to(silent, true)).isFalse();
      assertThat(all.to(DISK, true)).isTrue();
      var named = Consent.of(false, Set.of("S5Y1NG0"), List.of(), List.of(rule));
      assertThat(named.to(silent, true)).isTrue();
    }
    var byType = Consent.of(true, Set.of(), List.of(), List.of("type=HDD"));
    assertThat(byType.to(silent, true)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "size=1Ti", "type>=SSD", "colour=red", "type=", "type=NVM", "size>=big"})
  void whatIsNoRuleIsRefused(String rule) {
    assertThatThrownBy(() -> DiskRule.parse(rule)).isInstanceOf(IllegalArgumentException.class);
  }
}
