package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.apiserver.store.SqliteStore;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server that is killed in the middle of writing has lost nothing that it answered, and never
/// gives out a revision twice (API-142). `interop/killed` does many rounds of it.
class KilledServerTest {
  private static final int KILLS = Integer.getInteger("berth.kills", 3);
  private static final int WRITERS = 8;

  /// What a writer does with each claim: creates it, changes it so often, deletes every other.
  private static final int LAST = 3;

  private static final int GONE = LAST + 1;

  @TempDir private Path folder;

  private final Random random = new Random();
  private final Map<String, Integer> answered = new HashMap<>();
  private final Set<Long> revisions = new HashSet<>();
  private final Set<String> deleted = new HashSet<>();

  @Test
  void nothingAnsweredIsLost() throws Exception {
    for (int kill = 0; kill < KILLS; kill++) {
      runAndKill(kill);
      check();
    }
    System.out.println(
        "killed %d times: all of %d answered writes are there".formatted(KILLS, revisions.size()));
  }

  /// Lets a process write until it has had some answers, and kills it.
  private void runAndKill(int run) throws Exception {
    var process = start(run);
    int answers = 50 + random.nextInt(500);
    try (var lines = process.inputReader()) {
      for (int i = 0; i < answers; i++) note(read(lines));
      process.toHandle().destroyForcibly(); // unlike Process, leaves its output open
      // What it had already told when it died counts too.
      for (var line = lines.readLine(); isWhole(line); line = lines.readLine()) note(line);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private Process start(int run) throws IOException {
    return new ProcessBuilder(
            List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                KilledServerTest.class.getName(),
                folder.toString(),
                Integer.toString(run)))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static String read(BufferedReader lines) throws IOException {
    var line = lines.readLine();
    if (line == null) throw new IOException("the server ended by itself");
    return line;
  }

  private static boolean isWhole(@Nullable String line) {
    return line != null && line.endsWith(".");
  }

  /// `name step revision .`
  private void note(String line) {
    var words = line.split(" ", -1);
    int step = Integer.parseInt(words[1]);
    answered.merge(words[0], step, Math::max);
    if (step == GONE) deleted.add(words[0]);
    assertThat(revisions.add(Long.valueOf(words[2]))).as("revision %s is new", words[2]).isTrue();
  }

  private void check() throws Exception {
    try (var server = EmbeddedApiServer.start(SqliteStore.open(folder))) {
      for (var each : answered.entrySet()) {
        var found = server.handle(new Request.Get(Resources.CONFIG_MAPS, key(each.getKey()), ""));
        if (deleted.contains(each.getKey())) {
          assertThat(found).as(each.getKey()).isInstanceOf(Answer.Refused.class);
        } else if (each.getValue() < LAST || found instanceof Answer.Single) {
          assertThat(found).as(each.getKey()).isInstanceOf(Answer.Single.class);
          assertThat(step((Answer.Single) found)).isGreaterThanOrEqualTo(each.getValue());
        } // else it may just have been deleted when the server died
      }
      assertThat(revisions).allMatch(revision -> revision <= server.revision());
    }
  }

  private static int step(Answer.Single found) {
    return found.object().object().path("metadata").path("annotations").path("step").asInt();
  }

  private static ObjectNode object(String name) {
    var object = JsonNodeFactory.instance.objectNode();
    object.putObject("metadata").put("name", name);
    object.putObject("data").put("words", "w".repeat(1000));
    return object;
  }

  private static ObjectKey key(String name) {
    return ObjectKey.of("default", name);
  }

  /// The process that is killed: writes and tells each answer.
  public static void main(String[] args) throws Exception {
    var server = EmbeddedApiServer.start(SqliteStore.open(Path.of(args[0])));
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      Thread.ofPlatform().start(() -> write(server, args[1] + "-" + writer));
    }
  }

  private static void write(ApiServer server, String writer) {
    try {
      for (int i = 0; ; i++) {
        var name = "object-" + writer + "-" + i;
        tell(server, new Request.Create(Resources.CONFIG_MAPS, "default", object(name)), name, 0);
        for (int step = 1; step <= LAST; step++) {
          var patch = Patch.merge(World.annotations("step", Integer.toString(step)));
          var change = new Request.Change(Resources.CONFIG_MAPS, key(name), Part.MAIN, patch);
          tell(server, change, name, step);
        }
        if (i % 2 == 0) continue;
        var deletion = new Request.Delete(Resources.CONFIG_MAPS, key(name), DeleteOptions.DEFAULT);
        tell(server, deletion, name, GONE);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void tell(ApiServer server, Request request, String name, int step)
      throws InterruptedException {
    long revision =
        switch (server.handle(request)) {
          case Answer.Created(var object) -> object.revision();
          case Answer.Single(var object) -> object.revision();
          case Answer.GoneQuietly(var last, _) -> last.revision();
          case Answer other -> throw new IllegalStateException(other.toString());
        };
    System.out.println(name + " " + step + " " + revision + " .");
  }
}
