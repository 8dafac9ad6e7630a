package dev.berth.driver.disk.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.driver.disk.file.FolderSync;
import dev.berth.driver.disk.file.StateFile;
import dev.berth.driver.disk.ledger.LedgerLine.Place;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a pool knows survives everything, and whoever reads beside the writer sees it.
class LedgerTest {
  private static final Map<String, String> A = Map.of("capacity", "1", "words", "a=b\tc\nd\\");
  private static final Map<String, String> B = Map.of("capacity", "2");

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("ledger");
  }

  @Test
  void entriesAreThereAfterARestartAndInTheOrderOfTheirKeys() throws IOException {
    var before = opened();
    before.put("volume/b", B);
    before.put("volume/a", A);
    before.put("volume/c", B);
    before.put("other/x", B);
    before.remove("volume/c");
    before.close();

    var after = opened();
    assertThat(after.get("volume/a")).contains(A);
    assertThat(after.get("volume/c")).isEmpty();
    assertThat(after.after("volume/", "")).containsExactly(A, B);
    assertThat(after.after("volume/", "volume/a")).containsExactly(B);
  }

  @Test
  void aLineThatWasCutOffIsForgotten() throws IOException {
    var before = opened();
    before.put("volume/a", A);
    before.close();
    var whole = Files.size(file);
    for (var rest : List.of("5c9e71a0 volume/b\tcapa", "00000000 volume/b\tcapacity=2\t\n", "5c")) {
      Files.writeString(file, rest, StandardOpenOption.APPEND);
      var after = opened();
      assertThat(after.get("volume/a")).contains(A);
      assertThat(after.get("volume/b")).isEmpty();
      after.close();
      assertThat(Files.size(file)).isEqualTo(whole);
    }
  }

  /// Of what went to disk at once the end may be there and the beginning not.
  @Test
  void aWriteThatWasCutOffIsForgottenAsAWhole() throws IOException {
    var before = opened();
    before.put("volume/a", A);
    before.close();
    var whole = Files.size(file);
    var added = List.of("volume/b", "volume/c", "volume/d", "volume/e");
    for (var lost : List.of(List.of(0), List.of(1), List.of(0, 1), List.of(0, 2), List.of(3))) {
      var writer = LedgerFile.open(file, whole, whole);
      var lines = added.stream().map(key -> new LedgerLine(key, Optional.of(B))).toList();
      writer.append(lines, Place.LATER, whole);
      writer.close();
      var bytes = Files.readAllBytes(file);
      var length = (bytes.length - (int) whole) / lines.size();
      for (var line : lost)
        Arrays.fill(
            bytes, (int) whole + line * length, (int) whole + (line + 1) * length, (byte) 0);
      Files.write(file, bytes);

      var after = opened();
      assertThat(after.get("volume/a")).contains(A);
      assertThat(after.get(added.get(lost.getFirst()))).isEmpty();
      after.put("volume/f", B);
      after.remove("volume/f");
      after.close();
      var again = opened();
      assertThat(again.get("volume/a")).contains(A);
      again.close();
      try (var shortened = FileChannel.open(file, StandardOpenOption.WRITE)) {
        shortened.truncate(whole);
      }
      Files.deleteIfExists(LedgerEnd.file(file));
    }
  }

  @Test
  void aLaterWriteShowsThatDamageIsNoLossOfPower() throws IOException {
    var before = opened();
    before.put("volume/a", A);
    before.close();
    var whole = Files.size(file);
    var writer = LedgerFile.open(file, whole, whole);
    var lines = List.of(new LedgerLine("volume/b", Optional.of(B)));
    var length = writer.append(lines, Place.LATER, whole);
    writer.append(lines, Place.LATER, whole + length);
    writer.close();
    var bytes = Files.readAllBytes(file);
    bytes[(int) whole + 3]++;
    Files.write(file, bytes);
    assertThatThrownBy(this::opened).isInstanceOf(StateFile.DamagedException.class);
  }

  @Test
  void damageInTheMiddleIsToldAndNothingIsGuessed() throws IOException {
    var before = opened();
    before.put("volume/a", A);
    before.put("volume/b", B);
    before.close();
    var bytes = Files.readAllBytes(file);
    bytes[12]++;
    Files.write(file, bytes);

    assertThatThrownBy(this::opened)
        .isInstanceOf(StateFile.DamagedException.class)
        .hasMessageContaining("the line at byte 0");
  }

  @Test
  void aReaderFollowsTheWriterAlsoThroughANewFile() throws IOException {
    var writer = opened();
    var reader = ledger(file);
    assertThat(reader.get("k")).isEmpty();
    for (var i = 0; i < 10_100; i++) { // the file is written anew on the way
      writer.put("k", Map.of("n", "" + i));
      if (i % 1000 == 0) assertThat(reader.get("k")).contains(Map.of("n", "" + i));
    }
    writer.remove("k");
    assertThat(reader.get("k")).isEmpty();
  }

  /// An inode's number is used again: here the new file is written into the old one.
  @Test
  void aReaderThatSleptKnowsAnotherFileAtTheSamePlace() throws IOException {
    var writer = opened();
    writer.put("volume/a", A);
    writer.put("volume/b", B);
    var reader = ledger(file);
    assertThat(reader.get("volume/a")).contains(A);
    writer.close();

    var other = folder.resolve("other");
    var second = ledger(other);
    second.open();
    second.put("volume/c", A);
    second.put("volume/d", A);
    second.put("volume/e", A);
    second.close();
    Files.write(file, Files.readAllBytes(other));

    assertThat(reader.get("volume/a")).isEmpty();
    assertThat(reader.after("volume/", "")).containsExactly(A, A, A);
  }

  @Test
  void aReaderNeverMissesWhatIsThereWhileTheFileIsReplaced() throws Exception {
    var keys = IntStream.range(0, 2000).mapToObj(i -> "volume/" + i).toList();
    var text = new StringBuilder();
    for (var key : keys) new LedgerLine(key, Optional.of(A)).appendTo(text);
    Files.writeString(file, text);
    var reader = ledger(file);
    assertThat(reader.get("volume/1999")).contains(A);
    var over = new AtomicBoolean();
    try (var threads = Executors.newFixedThreadPool(2)) {
      var reads =
          threads.submit(() -> {
            while (!over.get()) assertThat(reader.get("volume/1999")).contains(A);
          });
      var beside =
          threads.submit(() -> {
            while (!over.get()) assertThat(reader.after("volume/1999", "")).isEmpty();
          });
      try {
        for (var i = 0; i < 200; i++) {
          var fresh = folder.resolve("fresh");
          var head = new StringBuilder();
          new LedgerLine("volume/x" + i, Optional.of(B)).appendTo(head);
          Files.writeString(fresh, head.append(text));
          Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        }
      } finally {
        over.set(true);
      }
      reads.get();
      beside.get();
    }
  }

  @Test
  void aLedgerOfBeforeThereWereGenerationsIsTakenOver() throws IOException {
    var text = new StringBuilder();
    new LedgerLine("volume/a", Optional.of(A)).appendTo(text);
    Files.writeString(file, text);
    var ledger = opened();
    assertThat(ledger.get("volume/a")).contains(A);
    ledger.put("volume/b", B);
    assertThat(Files.readString(file).lines().toList())
        .hasSize(3)
        .first(InstanceOfAssertFactories.STRING)
        .contains(LedgerContent.GENERATION);
  }

  @Test
  void allCallersAtOnceAreServedTogether() throws Exception {
    var ledger = opened();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var puts = new ArrayList<Future<?>>();
      for (var i = 0; i < 500; i++) {
        var key = "volume/" + i;
        puts.add(threads.submit(() -> ledger.put(key, B)));
      }
      for (var put : puts) put.get();
    }
    ledger.close();
    assertThat(opened().after("volume/", "")).hasSize(500);
  }

  @Test
  void whoIsNotToldOfAFailureHasItOnDisk() throws Exception {
    var ledger = opened();
    ledger.put("volume/large", Map.of("words", "x".repeat(1 << 20))); // uses up the room taken
    Files.delete(file); // to take room for the next line fails
    Files.delete(LedgerEnd.file(file)); // and it is not taken for lost
    var told = new AtomicInteger();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var puts = new HashMap<String, Future<?>>();
      for (var i = 0; i < 50; i++) {
        var key = "volume/" + i;
        puts.put(key, threads.submit(() -> ledger.put(key, B)));
      }
      for (var put : puts.entrySet()) {
        try {
          put.getValue().get();
        } catch (ExecutionException e) {
          assertThat(e).hasRootCauseInstanceOf(LinuxException.class);
          told.incrementAndGet();
          continue;
        }
        assertThat(ledger(file).get(put.getKey())).contains(B);
      }
    }
    assertThat(told).hasPositiveValue();
    ledger.put("volume/last", A);
    ledger.close();
    assertThat(opened().get("volume/last")).contains(A);
  }

  @Test
  void onlyWhoControlsThePoolWrites() {
    var reader = ledger(file);
    assertThatThrownBy(() -> reader.put("k", B)).isInstanceOf(IllegalStateException.class);
  }

  private Ledger ledger(Path file) {
    return new Ledger(file, new FolderSync(folder), () -> false);
  }

  private Ledger opened() throws IOException {
    var ledger = ledger(file);
    ledger.open();
    return ledger;
  }
}
