package dev.berth.apiserver.history;

import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;

/// A file of history, without a name: it ends with this process, however that ends. It is given
/// back as a whole. Reading is not interrupted with the thread, which would close it for all.
final class Generation implements AutoCloseable {
  private final RandomAccessFile file;
  private long size;
  private Instant latest = Instant.MIN;
  private volatile boolean closed;

  private Generation(RandomAccessFile file) {
    this.file = file;
  }

  /// Its name is there for a moment, and always the same: if the process ends in that moment, the
  /// next one takes it.
  static Generation in(Path folder) throws IOException {
    var path = folder.resolve("history.unnamed");
    var owners = PosixFilePermissions.fromString("rw-------"); // Secrets are in it
    Files.deleteIfExists(path);
    Files.createFile(path, PosixFilePermissions.asFileAttribute(owners));
    try {
      return new Generation(new RandomAccessFile(path.toFile(), "rw"));
    } finally {
      Files.delete(path);
    }
  }

  /// @param written when the last of it was, which may be before what is there already
  /// @return where it stands
  synchronized long append(byte[] bytes, Instant written) throws IOException {
    long at = size;
    file.seek(at);
    file.write(bytes);
    size += bytes.length;
    if (written.isAfter(latest)) latest = written;
    return at;
  }

  synchronized byte[] read(long at, int length) throws IOException {
    if (closed) throw new EOFException("this part of history was let go");
    var bytes = new byte[length];
    file.seek(at);
    file.readFully(bytes);
    return bytes;
  }

  synchronized long size() {
    return size;
  }

  /// When the latest of what is in it was written.
  synchronized Instant latest() {
    return latest;
  }

  /// Waits for nobody who reads or writes it.
  boolean closed() {
    return closed;
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    file.close();
  }
}
