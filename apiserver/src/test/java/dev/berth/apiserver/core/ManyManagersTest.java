package dev.berth.apiserver.core;

import static dev.berth.kube.object.Resources.CONFIG_MAPS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.ThreadMXBean;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.Request.Part;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Objects that are sent back with more managers than anybody has.
class ManyManagersTest {
  private static final long MIB = 1024 * 1024;

  private final World world = new World();

  private ObjectNode stored() {
    world.with(CONFIG_MAPS, "{metadata: {name: a, namespace: default}, data: {x: '1'}}");
    return world.get(CONFIG_MAPS, "default/a").deepCopy();
  }

  private static ObjectNode entry(String manager, String version, int second, String field) {
    var entry = JsonNodeFactory.instance.objectNode();
    entry.put("manager", manager).put("operation", "Update").put("apiVersion", version);
    entry.put("time", "2026-01-01T00:%02d:%02dZ".formatted(second / 60, second % 60));
    entry.put("fieldsType", "FieldsV1");
    entry.putObject("fieldsV1").putObject("f:data").putObject("f:" + field);
    return entry;
  }

  private Answer replace(ObjectNode object) {
    var key = World.key(CONFIG_MAPS, "default/a");
    return world.ask(new Request.Update(CONFIG_MAPS, key, Part.MAIN, object, "me"));
  }

  private static List<String> shown(Answer answer) {
    var entries = new ArrayList<String>();
    for (var entry : CoreRule.object(answer).path("metadata").path("managedFields"))
      entries.add(
          entry.path("manager").asText()
              + " "
              + entry.path("apiVersion").asText()
              + " "
              + fields(entry).size());
    return entries;
  }

  private static JsonNode fields(JsonNode entry) {
    return entry.path("fieldsV1").path("f:data");
  }

  @Test
  void theOldestUpdatersOfEachVersionBecomeOne() { // API-80
    var object = stored();
    var entries = object.withObject("metadata").putArray("managedFields");
    for (int i = 0; i < 30; i++) entries.add(entry("m" + i, i % 2 == 0 ? "v1" : "v2", i, "k" + i));
    object.withObject("data").put("x", "2");
    assertThat(shown(replace(object)))
        .containsExactly(
            "ancient-changes v2 11",
            "ancient-changes v1 12",
            "m23 v2 1",
            "m24 v1 1",
            "m25 v2 1",
            "m26 v1 1",
            "m27 v2 1",
            "m28 v1 1",
            "m29 v2 1",
            "me v1 1");
  }

  /// Each used to be copied once for each that came after it.
  @Test
  void thousandsCostWhatTheyAre() { // API-80
    var object = stored();
    var entries = object.withObject("metadata").putArray("managedFields");
    for (int i = 0; i < 4_000; i++) entries.add(entry("m" + i, "v1", i % 3_600, "k" + i));
    object.withObject("data").put("x", "2");
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    var answer = replace(object);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100 * MIB);
    assertThat(shown(answer)).hasSize(10).first().isEqualTo("ancient-changes v1 3992");
  }

  @Test
  void aPartThatIsNamedInManyWaysIsOne() { // API-80
    var object = stored();
    var entries = object.withObject("metadata").putArray("managedFields");
    entries.add(entry("m", "v1", 0, "x"));
    var fields = (ObjectNode) entries.get(0).path("fieldsV1");
    for (int i = 0; i < 3_000; i++) {
      var spaces = " ".repeat(i % 300) + "\t".repeat(i / 300);
      fields.putObject("k:{" + spaces + "\"a\":1}").putObject("f:b" + i);
    }
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    var answer = replace(object);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100 * MIB);
    var owned = CoreRule.object(answer).at("/metadata/managedFields/0/fieldsV1");
    assertThat(owned.path("k:{\"a\":1}")).hasSize(3_000);
  }

  @Test
  void moreThanAnObjectMayHaveAreNotRead() { // API-78, API-80
    var object = stored();
    var entries = object.withObject("metadata").putArray("managedFields");
    for (int i = 0; i < 20; i++) entries.add(entry("m" + i, "v1", i, "k".repeat(60_000) + i));
    var answer = replace(object);
    assertThat(answer).isInstanceOf(Answer.Refused.class);
    assertThat(((Answer.Refused) answer).refusal().code()).isEqualTo(413);
    assertThat(((Answer.Refused) answer).refusal().message())
        .contains("metadata.managedFields of 20 managers are too long: limit is 1048576");
  }
}
