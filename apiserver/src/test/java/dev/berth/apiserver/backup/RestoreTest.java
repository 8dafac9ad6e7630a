package dev.berth.apiserver.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.WatchAnswer;
import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.ListOptions;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.WatchEvent;
import dev.berth.apiserver.core.message.WatchRequest;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.store.SqliteStore;
import dev.berth.apiserver.store.StoreException;
import dev.berth.kube.object.Resources;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A backup gives back every object as it was, and what was never whole is never restored
/// (API-145).
class RestoreTest {
  private static final Instant TAKEN = Instant.parse("2026-11-22T12:00:00Z");

  @TempDir private Path folder;

  @Test
  void everyObjectIsThereAsItWas() throws Exception {
    var state = back("old", 300);
    restore("new");
    try (var store = SqliteStore.open(folder.resolve("new"))) {
      var restored = store.load();
      for (var kind : state.kinds().stored())
        assertThat(restored.list(kind))
            .extracting(each -> each.revision() + new String(each.json(), StandardCharsets.UTF_8))
            .isEqualTo(
                state.list(kind).stream()
                    .map(each -> each.revision() + new String(each.json(), StandardCharsets.UTF_8))
                    .toList());
    }
  }

  @Test
  void whatTheOldServerGaveOutSinceNeverComesAgain() throws Exception {
    long before = back("old", 3).revision();
    var later = TAKEN.plus(Duration.ofDays(3));
    var result = new Restore(backup(), folder.resolve("new"), later).run();
    assertThat(result.revision()).isGreaterThan(before + 10_000 * Duration.ofDays(3).toSeconds());
    try (var server = EmbeddedApiServer.start(SqliteStore.open(folder.resolve("new")))) {
      var created =
          (Answer.Created)
              server.handle(
                  new Request.Create(Resources.CLAIMS, "default", World.claim("afterwards")));
      assertThat(created.object().revision()).isGreaterThan(result.revision());
    }
  }

  /// One that saw later writes than the backup, too.
  @Test
  void aWatchOfTheOldServerHasToListAgain() throws Exception {
    long before = back("old", 3).revision();
    restore("new");
    try (var server = EmbeddedApiServer.start(SqliteStore.open(folder.resolve("new")))) {
      for (long seen : new long[] {before, before + 500}) {
        var options =
            new ListOptions("", "", Long.toString(seen), "", 0, "", Optional.empty(), false);
        var watch = server.watch(new WatchRequest(Resources.CLAIMS, "default", options));
        try (var stream = ((WatchAnswer.Streaming) watch).stream()) {
          assertThat(stream.poll())
              .hasValueSatisfying(
                  event -> assertThat(((WatchEvent.Failed) event).refusal().code()).isEqualTo(410));
        }
      }
    }
  }

  @Test
  void aStoreThatIsReplacedIsKeptBeside() throws Exception {
    back("old", 3);
    back("new", 7, "other.gz");
    var result = restore("new");
    var kept = Files.createDirectories(folder.resolve("kept"));
    Files.copy(result.replaced().orElseThrow(), SqliteStore.file(kept));
    assertThat(claims("new")).isEqualTo(3);
    assertThat(claims("kept")).isEqualTo(7);
  }

  @Test
  void oneThatIsDamagedIsReplacedToo() throws Exception {
    back("old", 3);
    back("new", 7, "other.gz");
    Files.write(SqliteStore.file(folder.resolve("new")), new byte[9_000]);
    restore("new");
    assertThat(claims("new")).isEqualTo(3);
  }

  @Test
  void whatAnAttemptLeftBehindIsNoHindrance() throws Exception {
    back("old", 3);
    var draft = folder.resolve("new/restored");
    Files.createDirectories(draft);
    Files.write(SqliteStore.file(draft), new byte[9_000]);
    restore("new");
    assertThat(claims("new")).isEqualTo(3);
    assertThat(draft).doesNotExist();
  }

  @Test
  void aFileThatIsCutOff() throws Exception {
    back("old", 300);
    var whole = Files.readAllBytes(backup().path());
    for (int length : new int[] {20, whole.length / 2, whole.length - 9}) {
      Files.write(backup().path(), Arrays.copyOf(whole, length));
      isRefused("is cut off: its end is missing");
    }
  }

  @Test
  void lastLinesThatAreMissing() throws Exception {
    back("old", 300);
    change(text -> text.substring(0, text.length() / 2));
    isRefused("is cut off: its end is missing");
  }

  @Test
  void aLetterThatHasChanged() throws Exception {
    back("old", 300);
    change(text -> text.replaceFirst("1Gi", "9Gi"));
    isRefused("is damaged: its checksum is not that of what it holds");
  }

  /// What unpacks gzip passes over what it cannot read behind it.
  @Test
  void junkBehindThePacking() throws Exception {
    back("old", 300);
    Files.writeString(backup().path(), "junk", StandardOpenOption.APPEND);
    isRefused("is damaged: there is more behind its end");
  }

  @Test
  void bytesThatHaveChanged() throws Exception {
    back("old", 300);
    var packed = Files.readAllBytes(backup().path());
    Arrays.fill(packed, packed.length / 2, packed.length / 2 + 64, (byte) 0x55);
    Files.write(backup().path(), packed);
    assertThatThrownBy(() -> backup().check())
        .isInstanceOf(BackupException.class)
        .hasMessageMatching("(?s).*is (damaged|cut off).*");
  }

  @Test
  void anotherFile() throws Exception {
    Files.writeString(backup().path(), "kind: Pod\n");
    isRefused("is no backup of Berth's");
    try (var out = new GZIPOutputStream(Files.newOutputStream(backup().path()))) {
      out.write("{\"kind\":\"Pod\"}\n".getBytes(StandardCharsets.UTF_8));
    }
    isRefused("is no backup of Berth's");
    Files.delete(backup().path());
    isRefused("there is no such file");
  }

  @Test
  void oneOfALaterBerth() throws Exception {
    back("old", 3);
    change(text -> text.replaceFirst("\"format\":1", "\"format\":2"));
    isRefused("was written by a newer Berth (format 2");
  }

  @Test
  void aLineWithoutEnd() throws Exception {
    try (var out = new GZIPOutputStream(Files.newOutputStream(backup().path()))) {
      var zeros = new byte[1 << 20];
      for (int i = 0; i < 64; i++) out.write(zeros);
    }
    isRefused("a line is too long");
  }

  private void isRefused(String words) {
    assertThatThrownBy(() -> restore("new"))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining(words);
    assertThat(SqliteStore.file(folder.resolve("new"))).doesNotExist();
  }

  private BackupFile backup() {
    return new BackupFile(folder.resolve("backup.gz"));
  }

  private Restore.Result restore(String store) throws BackupException, StoreException {
    return new Restore(backup(), folder.resolve(store), TAKEN).run();
  }

  private State back(String store, int claims) throws Exception {
    return back(store, claims, "backup.gz");
  }

  /// Makes a server with so many claims, and a backup of it.
  private State back(String store, int claims, String file) throws Exception {
    try (var server = EmbeddedApiServer.start(SqliteStore.open(folder.resolve(store)));
        var out = Files.newOutputStream(folder.resolve(file))) {
      for (int i = 0; i < claims; i++)
        server.handle(new Request.Create(Resources.CLAIMS, "default", World.claim("claim-" + i)));
      Backup.write(server.state(), TAKEN, out);
      return server.state();
    }
  }

  private int claims(String store) throws StoreException {
    try (var opened = SqliteStore.open(folder.resolve(store))) {
      return opened.load().list(Resources.CLAIMS).size();
    }
  }

  private void change(UnaryOperator<String> change) throws IOException {
    var lines = new ByteArrayOutputStream();
    try (var in = new GZIPInputStream(Files.newInputStream(backup().path()))) {
      in.transferTo(lines);
    }
    try (var out = new GZIPOutputStream(Files.newOutputStream(backup().path()))) {
      new ByteArrayInputStream(
              change.apply(lines.toString(StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8))
          .transferTo(out);
    }
  }
}
