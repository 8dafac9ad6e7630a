package dev.berth.cli.home;

import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A process that locks a file for as long as its standard input is open.
final class Locker {
  private static final long MAX = Long.MAX_VALUE;

  private Locker() {}

  /// @param arguments the file; then `shared`, to lock it as whoever may read it can, `exclusive`,
  ///   or `try`, which does not wait
  public static void main(String[] arguments) throws Exception {
    boolean shared = arguments[1].equals("shared");
    var mode = shared ? StandardOpenOption.READ : StandardOpenOption.WRITE;
    try (var file = FileChannel.open(Path.of(arguments[0]), mode);
        var lock = arguments[1].equals("try") ? file.tryLock() : file.lock(0, MAX, shared)) {
      System.out.println(lock == null ? "not locked" : "locked");
      System.in.read();
    }
  }

  static Process start(Path file, String kind) throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                java,
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Locker.class.getName(),
                file.toString(),
                kind)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (!"locked".equals(process.inputReader().readLine()))
      throw new IllegalStateException(file + " was not locked");
    return process;
  }
}
