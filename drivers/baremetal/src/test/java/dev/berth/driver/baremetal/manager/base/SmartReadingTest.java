package dev.berth.driver.baremetal.manager.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.baremetal.manager.base.SmartReading.Asleep;
import dev.berth.driver.baremetal.manager.base.SmartReading.Measured;
import dev.berth.driver.baremetal.manager.base.SmartReading.Unread;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.linux.tool.Tools.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What programs say of drives, in the forms in which they say it.
class SmartReadingTest {
  private static final String PASSED =
      """
      {"json_format_version":[1,0],"smartctl":{"version":[7,4],"exit_status":0},
       "device":{"name":"/dev/sda","type":"sat","protocol":"ATA"},
       "model_name":"ST18000NM000J","serial_number":"ZR5A","rotation_rate":7200,
       "smart_status":{"passed":true}}
      """;

  /// BM-52: bits 0 to 2 say nothing of the drive, bit 3 is its end, the others are signs.
  @ParameterizedTest
  @CsvSource({
    "0, GOOD",
    "1, UNREAD",
    "2, UNREAD",
    "4, UNREAD",
    "8, BAD",
    "16, SUSPECT",
    "32, SUSPECT",
    "64, SUSPECT",
    "128, SUSPECT",
    "24, BAD",
    "66, UNREAD",
    "216, BAD"
  })
  void theExitStatusOfSmartctlIsASetOfBits(int status, String wanted) {
    var reading = SmartReading.ofSmartctl(new Result(status, PASSED, ""));
    if (wanted.equals("UNREAD")) assertThat(reading).isInstanceOf(Unread.class);
    else
      assertThat(reading)
          .isInstanceOfSatisfying(
              Measured.class, it -> assertThat(it.health()).isEqualTo(Health.valueOf(wanted)));
  }

  /// BM-52.
  @Test
  void whatTheDriveSaysCountsAlsoWithoutABit() {
    assertThat(
            SmartReading.ofSmartctl(
                new Result(0, PASSED.replace("\"passed\":true", "\"passed\":false"), "")))
        .isInstanceOfSatisfying(
            Measured.class, it -> assertThat(it.health()).isEqualTo(Health.BAD));
    assertThat(SmartReading.ofSmartctl(new Result(0, "{}", ""))).isInstanceOf(Unread.class);
    assertThat(SmartReading.ofSmartctl(new Result(0, "no JSON", ""))).isInstanceOf(Unread.class);
    assertThat(SmartReading.ofSmartctl(new Result(137, "", ""))).isInstanceOf(Unread.class);
  }

  /// A disk that sleeps is as it was; nobody wakes it to ask.
  @Test
  void aDriveThatSleepsIsNotWoken() {
    var asleep =
        """
        {"smartctl":{"exit_status":2,"messages":[
          {"string":"Device is in STANDBY mode, exit(2)","severity":"information"}]}}
        """;
    assertThat(SmartReading.ofSmartctl(new Result(2, asleep, ""))).isEqualTo(new Asleep());
  }

  /// BM-53: bit by bit.
  @ParameterizedTest
  @CsvSource({
    "0, GOOD",
    "1, SUSPECT",
    "2, GOOD",
    "4, BAD",
    "8, SUSPECT",
    "16, BAD",
    "32, BAD",
    "3, SUSPECT",
    "12, BAD"
  })
  void theWarningOfAnNvmeDrive(int bits, Health wanted) {
    for (var form :
        new String[] {"{\"critical_warning\":%d}", "{\"critical_warning\":{\"value\":%d}}"})
      assertThat(SmartReading.ofNvme(new Result(0, form.formatted(bits), "")))
          .isInstanceOfSatisfying(Measured.class, it -> assertThat(it.health()).isEqualTo(wanted));
    var bySmartctl =
        "{\"smart_status\":{\"passed\":true},\"nvme_smart_health_information_log\":{\"critical_warning\":%d}}";
    assertThat(SmartReading.ofSmartctl(new Result(0, bySmartctl.formatted(bits), "")))
        .isInstanceOfSatisfying(Measured.class, it -> assertThat(it.health()).isEqualTo(wanted));
  }

  /// BM-52, BM-53: as smartctl 7.2 and later tells of an NVMe drive that is asked for its health
  /// alone: any warning is "failed" to it, also one that says only that the drive is hot.
  @ParameterizedTest
  @CsvSource({"0, GOOD", "1, SUSPECT", "2, GOOD", "3, SUSPECT", "4, BAD", "8, SUSPECT", "16, BAD"})
  void whatSmartctlCallsFailedOfAnNvmeDrive(int bits, Health wanted) {
    var report =
        "{\"smart_status\":{\"passed\":%b,\"nvme\":{\"value\":%d}}}".formatted(bits == 0, bits);
    assertThat(SmartReading.ofSmartctl(new Result(bits == 0 ? 0 : 8, report, "")))
        .isInstanceOfSatisfying(Measured.class, it -> assertThat(it.health()).isEqualTo(wanted));
    assertThat(SmartReading.ofSmartctl(new Result(64 + 8, report, "")))
        .isInstanceOfSatisfying(
            Measured.class,
            it ->
                assertThat(it.health()).isEqualTo(wanted == Health.GOOD ? Health.SUSPECT : wanted));
  }

  /// BM-53: who cannot ask knows nothing.
  @Test
  void anNvmeDriveThatCannotBeAskedIsUnknown() {
    assertThat(SmartReading.ofNvme(new Result(1, "", "no such device"))).isInstanceOf(Unread.class);
    assertThat(SmartReading.ofNvme(new Result(0, "{\"critical_warning\":\"x\"}", "")))
        .isInstanceOf(Unread.class);
  }
}
