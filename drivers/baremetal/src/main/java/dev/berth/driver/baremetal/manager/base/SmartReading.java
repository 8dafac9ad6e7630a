package dev.berth.driver.baremetal.manager.base;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.linux.tool.Tools;

/// What a drive says of its own health, as a program reports it.
sealed interface SmartReading {
  ObjectMapper JSON = new ObjectMapper();

  /// The drive has answered.
  ///
  /// @param why in words that follow "the drive"; empty: it is well
  record Measured(Health health, String why) implements SmartReading {}

  /// The drive sleeps, and nobody wakes it for this: it is as it was.
  record Asleep() implements SmartReading {}

  /// Nobody could find out: that says nothing of the drive (BM-52).
  record Unread(String why) implements SmartReading {}

  int NOT_RUN = 0b0000_0111;
  int FAILING_NOW = 0b0000_1000;
  int WORN = 0b1111_0000;

  /// BM-52: smartctl's exit status is a set of bits. The three lowest say that it did not come to
  /// an answer, the fourth that the drive is failing, the rest that it has shown signs of it.
  static SmartReading ofSmartctl(Tools.Result result) {
    var report = json(result.output());
    if (sleeps(report, result.output())) return new Asleep();
    int bits = result.exitCode();
    if (bits > 255 || (bits & NOT_RUN) != 0 || bits >= 128 + 9 && report.isMissingNode())
      return new Unread("smartctl: " + told(report, result));
    var passed = report.path("smart_status").path("passed");
    var nvme = warning(report);
    // any warning of an NVMe drive is a failure to smartctl, its temperature, too: they say more
    if (nvme.isNumber()) {
      if (warned(nvme.asInt()).health() != Health.GOOD) return warned(nvme.asInt());
    } else if ((bits & FAILING_NOW) != 0 || passed.isBoolean() && !passed.asBoolean())
      return new Measured(Health.BAD, "says that it is failing");
    if ((bits & WORN) != 0) return new Measured(Health.SUSPECT, signs(bits));
    if (!passed.isBoolean() && !nvme.isNumber())
      return new Unread("the drive says nothing of its health");
    return new Measured(Health.GOOD, "");
  }

  /// The bits of an NVMe drive: beside the verdict, or in the log if all of it was asked for.
  private static JsonNode warning(JsonNode report) {
    var beside = report.path("smart_status").path("nvme").path("value");
    return beside.isNumber()
        ? beside
        : report.path("nvme_smart_health_information_log").path("critical_warning");
  }

  /// BM-53: the bits of an NVMe drive's `critical_warning`.
  static SmartReading ofNvme(Tools.Result result) {
    var warning = json(result.output()).path("critical_warning");
    // newer programs write an object, with the value in it
    if (warning.isObject()) warning = warning.path("value");
    if (result.exitCode() != 0 || !warning.canConvertToInt() || !warning.isNumber())
      return new Unread("nvme: " + result.words());
    return warned(warning.asInt());
  }

  private static Measured warned(int bits) {
    if ((bits & 0b0000_0100) != 0) return new Measured(Health.BAD, "is not reliable any more");
    if ((bits & 0b0001_0000) != 0)
      return new Measured(Health.BAD, "has lost the backup of its memory");
    if ((bits & 0b0010_0000) != 0)
      return new Measured(Health.BAD, "has lost its persistent memory region");
    if ((bits & 0b0000_1000) != 0) return new Measured(Health.SUSPECT, "is read-only from now on");
    if ((bits & 0b0000_0001) != 0) return new Measured(Health.SUSPECT, "runs out of spare blocks");
    return new Measured(Health.GOOD, ""); // its temperature is nobody's failure
  }

  private static String signs(int bits) {
    if ((bits & 0b0001_0000) != 0) return "has attributes below their thresholds";
    if ((bits & 0b0010_0000) != 0) return "has had attributes below their thresholds";
    if ((bits & 0b0100_0000) != 0) return "has logged errors";
    return "has failed its self-test";
  }

  /// smartctl is asked not to wake a drive, and says that it has not.
  private static boolean sleeps(JsonNode report, String output) {
    for (var message : report.path("smartctl").path("messages"))
      if (isStandby(message.path("string").asText())) return true;
    return report.isMissingNode() && isStandby(output);
  }

  private static boolean isStandby(String words) {
    return words.contains("STANDBY") || words.contains("SLEEP");
  }

  private static String told(JsonNode report, Tools.Result result) {
    var said = report.path("smartctl").path("messages").path(0).path("string").asText();
    return said.isEmpty() ? result.words() : said;
  }

  private static JsonNode json(String text) {
    try {
      var tree = JSON.readTree(text);
      return tree == null || !tree.isObject() ? MissingNode.getInstance() : tree;
    } catch (JsonProcessingException _) {
      return MissingNode.getInstance();
    }
  }
}
