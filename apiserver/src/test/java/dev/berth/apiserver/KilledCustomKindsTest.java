package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.apiserver.store.SqliteStore;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server that is killed while kinds and their objects come keeps all that it answered, and the
/// kinds mean what they meant (API-122, API-123, API-142). See [KilledServerTest].
class KilledCustomKindsTest {
  private static final int KILLS = 2;

  @TempDir private Path folder;

  private final Set<String> answered = new LinkedHashSet<>();

  @Test
  void kindsAndTheirObjectsSurvive() throws Exception {
    for (int kill = 0; kill < KILLS; kill++) {
      runAndKill(kill);
      try (var server = EmbeddedApiServer.start(SqliteStore.open(folder))) {
        for (var plural : answered) check(server, plural);
      }
    }
  }

  private void runAndKill(int run) throws Exception {
    var process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin/java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-XX:TieredStopAtLevel=1",
                    "-Xmx128m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    KilledCustomKindsTest.class.getName(),
                    folder.toString(),
                    "pies" + run))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int answers = 5 + new Random().nextInt(20);
    try (var lines = process.inputReader()) {
      for (int i = 0; i < answers; i++) {
        var line = lines.readLine();
        if (line == null) throw new IOException("the server ended by itself");
        answered.add(line);
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static void check(ApiServer server, String plural) throws InterruptedException {
    var kind = kind(plural);
    var found = server.handle(new Request.Get(kind, key("a"), ""));
    assertThat(found).as(plural).isInstanceOf(Answer.Single.class);
    var pie = ((Answer.Single) found).object().object();
    assertThat(pie.at("/spec").toString()).isEqualTo("{\"size\":2,\"pieces\":12}");
    // What the schema and its rules say still holds, for new objects and for changes.
    assertRefused(server.handle(create(kind, "b", "{size: 3}")), "is even");
    assertRefused(server.handle(create(kind, "b", "{size: many}")), "must be of type integer");
    var change = World.yaml("{spec: {size: 4}}");
    assertRefused(
        server.handle(new Request.Change(kind, key("a"), Part.MAIN, Patch.merge(change))),
        "size is immutable");
    assertThat(server.handle(new Request.DryRun(create(kind, "b", "{size: 4}"))))
        .isInstanceOfSatisfying(
            Answer.Created.class,
            made -> assertThat(made.object().object().at("/spec/pieces").asInt()).isEqualTo(12));
  }

  private static void assertRefused(Answer answer, String why) {
    assertThat(answer)
        .isInstanceOfSatisfying(
            Answer.Refused.class, refused -> assertThat(refused.refusal().message()).contains(why));
  }

  private static Resource kind(String plural) {
    return new Resource(plural + ".example", "v1", plural, "Pie", true);
  }

  private static ObjectKey key(String name) {
    return ObjectKey.of("default", name);
  }

  private static Request.Create create(Resource kind, String name, String spec) {
    var pie =
        World.yaml(
            "{apiVersion: %s, kind: %s, metadata: {name: %s}, spec: %s}"
                .formatted(kind.apiVersion(), kind.kind(), name, spec));
    return new Request.Create(kind, "default", pie);
  }

  private static ObjectNode definition(String plural) {
    return World.yaml(
        """
        metadata: {name: PLURAL.PLURAL.example}
        spec:
          group: PLURAL.example
          scope: Namespaced
          names: {plural: PLURAL, kind: Pie}
          versions:
            - name: v1
              served: true
              storage: true
              schema:
                openAPIV3Schema:
                  type: object
                  properties:
                    spec:
                      type: object
                      properties:
                        pieces: {type: integer, default: 12}
                        size:
                          type: integer
                          x-kubernetes-validations:
                            - {rule: self % 2 == 0, message: size is even}
                            - {rule: self == oldSelf, message: size is immutable}
        """
            .replace("PLURAL", plural));
  }

  /// The process that is killed: brings one kind after the other, with an object, and tells of it.
  public static void main(String[] args) throws Exception {
    var server = EmbeddedApiServer.start(SqliteStore.open(Path.of(args[0])));
    for (int i = 0; ; i++) {
      var plural = args[1] + "x" + i;
      make(server, new Request.Create(Resources.DEFINITIONS, "", definition(plural)));
      make(server, create(kind(plural), "a", "{size: 2}"));
      System.out.println(plural);
    }
  }

  private static void make(ApiServer server, Request request) throws InterruptedException {
    if (!(server.handle(request) instanceof Answer.Created))
      throw new IllegalStateException("refused: " + request);
  }
}
