package dev.berth.controller.roster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Cluster;
import dev.berth.controller.Draft;
import dev.berth.controller.Means;
import dev.berth.controller.Rule;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The controller of docs/adding-a-controller.md, taken from the page: whoever follows it gets one
/// that compiles, decides and acts.
class AddingAControllerTest {
  private static final Path PAGE = Path.of("../docs/adding-a-controller.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\n(.*?)^```$");
  private static final Pattern TYPE =
      Pattern.compile("(?m)^(?:public )?(?:final )?(?:class|record) (\\w+)");

  private static final String ROOM = "dev.berth.controller.label.";
  private static final String TABLE = "ClaimLabellerTest";
  private static final ObjectKey CLAIM = ObjectKey.of("shop", "data");

  /// What the whole of it may have, its table of rules apart.
  private static final int LINES = 150;

  @TempDir private Path folder;

  @Test
  void theWholeOfItIsShort() throws IOException {
    var sources = sources();
    sources.remove(TABLE);
    assertThat(sources).hasSize(5).containsKey("package-info");
    assertThat(sources.values().stream().mapToLong(source -> source.lines().count()).sum())
        .isLessThanOrEqualTo(LINES);
  }

  @Test
  void itsRulesHold() throws Exception {
    try (var classes = compiled()) {
      var field = classes.loadClass(ROOM + TABLE).getDeclaredField("rules");
      field.setAccessible(true);
      assertThat((List<?>) field.get(null))
          .hasSize(4)
          .allSatisfy(row -> {
            var rule = (Rule) row;
            rule.check().accept(Rule.decide(concern(classes), rule.world(), CLAIM));
          });
    }
  }

  @Test
  void itsLoopWritesWhatItDecided() throws Exception {
    try (var classes = compiled()) {
      var labels = concern(classes);
      try (var cluster = Cluster.of(means -> List.of(labels.controller(means)))) {
        cluster.create(Draft.bound("data", "pv-1").toArray(Draft[]::new));
        cluster.patchStatus(
            Kinds.CLAIM, CLAIM, body -> body.withObject("/status").put("phase", "Bound"));
        cluster.until(
            Kinds.CLAIM, CLAIM, claim -> claim.meta().labels().containsValue("disk.berth.dev"));
      }
    }
  }

  @SuppressWarnings("unchecked") // its type stands on the page
  private static Concern<Means, ObjectKey, ?, ?> concern(ClassLoader classes) throws Exception {
    return (Concern<Means, ObjectKey, ?, ?>)
        classes.loadClass(ROOM + "ClaimLabels").getMethod("claims").invoke(null);
  }

  private URLClassLoader compiled() throws IOException {
    var classes = folder.resolve("classes");
    var arguments =
        new ArrayList<>(
            List.of(
                "-proc:none",
                "-Xlint:all,-path,-classfile",
                "-Werror",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                classes.toString()));
    for (var source : sources().entrySet()) {
      var file = folder.resolve(source.getKey() + ".java");
      arguments.add(Files.writeString(file, source.getValue()).toString());
    }
    var javac = ToolProvider.getSystemJavaCompiler();
    assertThat(javac.run(null, null, null, arguments.toArray(String[]::new))).isZero();
    return new URLClassLoader(new URL[] {classes.toUri().toURL()});
  }

  /// What stands on the page, by type.
  private static Map<String, String> sources() throws IOException {
    var sources = new TreeMap<String, String>();
    for (var block : BLOCK.matcher(Files.readString(PAGE)).results().toList()) {
      var type = TYPE.matcher(block.group(1));
      sources.put(type.find() ? type.group(1) : "package-info", block.group(1));
    }
    return sources;
  }
}
