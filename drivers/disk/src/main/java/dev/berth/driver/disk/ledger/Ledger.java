package dev.berth.driver.disk.ledger;

import dev.berth.driver.disk.file.FolderSync;
import dev.berth.driver.disk.file.StateFile;
import dev.berth.driver.disk.ledger.LedgerLine.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// What a pool knows: entries by key, in one file that grows by a line a change. The first line
/// names the generation of the file, a new one each time that it is written anew. By that a reader
/// knows another file where an inode's number would lie: it is used again.
///
/// One process writes, any number read. A change is on disk before its caller hears of it; the
/// changes of all callers who wait at one moment go to disk together. What a loss of power leaves
/// of them nobody has heard of, and it is cut off; any other damage is told and nothing is guessed.
/// What was acknowledged and is gone is damage too: [LedgerEnd] knows of it.
public final class Ledger {
  /// With fewer lines than this it is not worth while to write the file anew.
  private static final int SHORT = 10_000;

  private final Path file;
  private final LedgerContent content;
  private final BooleanSupplier needed;
  private final LedgerEnd end;
  private final FolderSync folderSync;
  private final ConcurrentLinkedQueue<Change> waiting = new ConcurrentLinkedQueue<>();

  /// Held by who writes or reads the file.
  private final ReentrantLock io = new ReentrantLock();

  private @Nullable LedgerFile writer;
  private volatile boolean ours;

  /// Whether something was gone when we looked last.
  private volatile boolean damaged;

  /// Whether the end of the file is written down, guarded by io. It is not for a file of which
  /// nobody knows whether it is whole.
  private boolean vouched;

  private static final class Change {
    private final LedgerLine line;
    private boolean done; // guarded by io
    private @Nullable Throwable failure; // guarded by io

    Change(LedgerLine line) {
      this.line = line;
    }
  }

  /// @param needed whether there are files that a ledger has to tell of; it is begun before them
  public Ledger(Path file, FolderSync folderSync, BooleanSupplier needed) {
    this.needed = needed;
    this.file = file;
    this.content = new LedgerContent(file);
    this.end = new LedgerEnd(file);
    this.folderSync = folderSync;
  }

  public Optional<Map<String, String>> get(String key) {
    follow();
    return content.get(key);
  }

  /// Entries in the order of their keys.
  ///
  /// @param after only those whose key is greater, and begins with `prefix`
  public Iterable<Map<String, String>> after(String prefix, String after) {
    follow();
    return content.after(prefix, after);
  }

  /// Adds or replaces an entry. It is on disk afterwards.
  public void put(String key, Map<String, String> values) {
    change(new LedgerLine(key, Optional.of(values)));
  }

  /// Removes an entry. That is on disk afterwards.
  public void remove(String key) {
    if (isKnownAbsent(key)) return;
    change(new LedgerLine(key, Optional.empty()));
  }

  /// What it does not hold takes no line to remove, and no room on a full disk.
  private boolean isKnownAbsent(String key) {
    return known(key).isEmpty();
  }

  /// [#get] for who has just failed to change it: only the file knows then.
  public Optional<Map<String, String>> known(String key) {
    io.lock();
    try {
      writer();
      return content.get(key);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
    } catch (StateFile.DamagedException e) {
      throw e.refusal();
    } finally {
      io.unlock();
    }
  }

  /// Looks whether all is there that was ever acknowledged.
  ///
  /// @return whether there is anything at all
  /// @throws StateFile.DamagedException if not
  public boolean check() throws IOException {
    io.lock();
    try {
      damaged = true;
      while (true) {
        var before = LedgerEnd.read(file);
        content.readOn();
        var loss = loss(before);
        if (loss.isEmpty()) break;
        // The writer may have replaced the file between our looks.
        if (LedgerEnd.read(file).equals(before))
          throw new StateFile.DamagedException(file, "it " + loss.get());
      }
      damaged = false;
      return content.lines() > 0;
    } finally {
      io.unlock();
    }
  }

  private Optional<String> loss(Map<String, Long> ends) throws IOException {
    var known = LedgerEnd.loss(ends, content.generation(), content.length());
    if (content.lines() > 0) return known;
    if (known.isEmpty()) {
      if (!needed.getAsBoolean()) return Optional.empty();
      content.readOn(); // it may have been begun meanwhile
      if (content.lines() > 0) return Optional.empty();
    }
    var what = Files.exists(file) ? "is empty" : "is missing";
    return Optional.of(what + " though the pool is not new");
  }

  /// Whether it is known that nothing of the file is lost. If not, an entry that is not there may
  /// have been.
  public boolean isVouchedFor() {
    io.lock();
    try {
      return vouched;
    } finally {
      io.unlock();
    }
  }

  /// Takes what is there now for the whole.
  public void vouch() {
    io.lock();
    try {
      vouched = true;
      writeEnd();
    } finally {
      io.unlock();
    }
  }

  /// Makes this process the writer; the caller sees to it that there is no other.
  ///
  /// @throws StateFile.DamagedException if something that was acknowledged is gone
  public void open() throws IOException {
    io.lock();
    try {
      openWriter();
      ours = true;
      if (!content.hasGeneration() || isLong()) tryWriteAnew();
    } finally {
      io.unlock();
    }
  }

  private void openWriter() throws IOException {
    var blank = !check();
    var ends = LedgerEnd.read(file);
    vouched = blank || !ends.isEmpty();
    var acknowledged = ends.getOrDefault(content.generation().orElse(""), 0L);
    var opened = LedgerFile.open(file, content.length(), Math.min(acknowledged, content.length()));
    try {
      folderSync.sync();
    } catch (RuntimeException e) {
      opened.close();
      throw e;
    }
    writer = opened;
    try {
      if (blank) {
        append(opened, List.of(content.begin()), Place.LATER);
        writeEnd();
      }
    } catch (IOException | RuntimeException e) {
      lose();
      throw e;
    }
  }

  public void close() throws IOException {
    io.lock();
    try {
      ours = false;
      if (writer != null) writer.close();
      writer = null;
      end.close();
    } finally {
      io.unlock();
    }
  }

  private void change(LedgerLine line) {
    var change = new Change(line);
    waiting.add(change);
    io.lock();
    try {
      if (!change.done) commit();
    } finally {
      io.unlock();
    }
    switch (change.failure) {
      case null -> {}
      case IOException e ->
          throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
      case StateFile.DamagedException e -> throw e.refusal();
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new IllegalStateException("nothing else is thrown", e);
    }
  }

  /// Writes what everybody waits for with one sync. Whatever ends that early is told to everybody:
  /// nobody else would write their lines.
  private void commit() {
    var batch = new ArrayList<Change>();
    for (var change = waiting.poll(); change != null; change = waiting.poll()) batch.add(change);
    try {
      append(writer(), batch.stream().map(change -> change.line).toList(), Place.LATER);
      writeEnd();
      batch.forEach(change -> content.apply(change.line));
    } catch (Throwable e) { // an Error too
      batch.forEach(change -> change.failure = e);
      lose();
    }
    batch.forEach(change -> change.done = true);
    if (writer != null && isLong()) tryWriteAnew();
  }

  private boolean isLong() {
    return content.lines() > SHORT && content.lines() > 4 * content.size();
  }

  private void tryWriteAnew() {
    try {
      writeAnew();
    } catch (IOException | RuntimeException _) {
      lose(); // on a full disk, say; the old file is whole, and can be written to
    }
  }

  /// After a failed write or sync nobody knows what the file holds: it is read again before the
  /// next change.
  private void lose() {
    var lost = writer;
    writer = null;
    content.forget();
    try {
      if (lost != null) lost.close();
    } catch (IOException _) {
      // The write has failed already, and is told.
    }
  }

  private void append(LedgerFile opened, List<LedgerLine> added, Place others) throws IOException {
    content.grow(opened.append(added, others, content.length()), added.size());
  }

  private void writeEnd() {
    if (!vouched) return;
    try {
      end.write(endNow());
    } catch (IOException _) {
      // On a full disk, say. The lines are on disk; the end before them stays true.
    }
  }

  private LedgerEnd.End endNow() {
    return new LedgerEnd.End(content.generation().orElse(""), content.length());
  }

  private LedgerFile writer() throws IOException {
    if (!ours) throw new IllegalStateException("the pool is not under our control");
    if (writer == null) openWriter();
    return Objects.requireNonNull(writer);
  }

  /// Replaces the file by one with only the entries that are there now.
  private void writeAnew() throws IOException {
    writer().close();
    var opened = LedgerFile.begin(file.resolveSibling(file.getFileName() + ".tmp"));
    writer = opened;
    var all = new ArrayList<LedgerLine>();
    var before = endNow();
    all.add(content.begin());
    all.addAll(content.all());
    append(opened, all, Place.FIRST); // the file takes its place as a whole, or not at all
    if (vouched) end.write(endNow(), before);
    opened.replace(file);
    folderSync.sync();
  }

  /// Takes over what the writing process has added, if that is not us.
  private void follow() {
    if (ours) return;
    io.lock();
    try {
      if (damaged) check();
      else if (!ours) content.readOn();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
    } catch (StateFile.DamagedException e) {
      throw e.refusal();
    } finally {
      io.unlock();
    }
  }
}
