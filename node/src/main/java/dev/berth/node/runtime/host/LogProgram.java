package dev.berth.node.runtime.host;

import dev.berth.linux.launch.LaunchProgram;
import dev.berth.linux.launch.LaunchProgram.Place;
import dev.berth.linux.sys.SystemCall;
import java.nio.charset.StandardCharsets;

/// Copies what a container says to its log, as system calls: from descriptor 0 to descriptor 1.
///
/// It ends with 0 at the end of what is said, and with [#FULL] behind the end of a line when the
/// log has reached its size. While the log cannot be written, what is said is dropped, and the log
/// says so afterwards: a full disk neither ends nor blocks the container, and what its program
/// hears of its output is true.
final class LogProgram {
  /// `containerLogMaxSize` of the kubelet.
  private static final long SIZE = 10 << 20;

  /// It is the shim that puts a full log aside.
  private static final int FULL = 3;

  /// How long a line may become that is not cut in two.
  private static final long LINE = 64 << 10;

  private static final long BLOCK = 64 << 10;
  private static final long BUFFER = 0x2000_0000L;
  private static final long READ_AND_WRITE = 3;
  private static final long ANONYMOUS = 0x2 | 0x10 | 0x20;
  private static final long SEEK_END = 2;
  private static final String LOST =
      "\n[berth: output is missing here: the log could not be written]\n";

  private final LaunchProgram program = new LaunchProgram();
  private final Place read = new Place();
  private final Place check = new Place();
  private final Place restOfLine = new Place();
  private final Place dropped = new Place();
  private final Place full = new Place();
  private final Place end = new Place();

  private final long size = program.words(0);
  private final long count = program.words(0);
  private final long lost = program.words(0);
  private final long letter = program.words(0);
  private final long left = program.words(LINE);

  private LogProgram() {}

  static byte[] bytes() {
    var log = new LogProgram();
    log.begin();
    log.copyBlock();
    log.copyRestOfLine();
    log.ends();
    return log.program.finish();
  }

  private void begin() {
    program.must("get memory", SystemCall.MMAP, BUFFER, BLOCK, READ_AND_WRITE, ANONYMOUS, -1, 0);
    program.may(SystemCall.LSEEK, 1, 0, SEEK_END).into(size);
    program.goTo(check);
  }

  private void copyBlock() {
    program.at(read);
    program.may(SystemCall.READ, 0, BUFFER, BLOCK).into(count).ifNegative(read).ifZero(end);
    var write = new Place();
    program.load(lost).ifZero(write);
    tellLoss();
    program.at(write);
    writeBlock();
    program.at(check);
    var now = program.load(size);
    var more = program.subtract(0, SIZE).ifNegative(read);
    now.into(more.argument(0));
    program.goTo(restOfLine);
  }

  private void tellLoss() {
    var text = LOST.getBytes(StandardCharsets.UTF_8);
    program.may(SystemCall.WRITE, 1, program.bytes(text), text.length).ifNegative(read);
    program.subtract(0, 0).into(lost);
  }

  /// All of the block, in as many pieces as it takes.
  private void writeBlock() {
    var again = new Place();
    var from = program.subtract(BUFFER, 0);
    var bytes = program.load(count);
    program.at(again);
    var write = program.may(SystemCall.WRITE, 1, 0, 0).ifNegative(dropped).ifZero(dropped);
    from.into(write.argument(1));
    bytes.into(write.argument(2));
    long written = program.words(0);
    write.into(written);
    add(size, written, size);
    add(write.argument(1), written, write.argument(1));
    var before = program.load(write.argument(2));
    var done = program.load(written);
    var rest = program.subtract(0, 0).ifPositive(again);
    before.into(rest.argument(0));
    done.into(rest.argument(1));
    rest.into(write.argument(2));
  }

  /// The log ends with a whole line, unless that is very long.
  private void copyRestOfLine() {
    program.at(restOfLine);
    program.may(SystemCall.READ, 0, letter, 1).ifNegative(restOfLine).ifZero(end);
    program.may(SystemCall.WRITE, 1, letter, 1).ifNegative(dropped).ifZero(dropped);
    var remaining = program.load(left);
    var shorter = program.subtract(0, 1).ifZero(full).into(left);
    remaining.into(shorter.argument(0));
    var last = program.load(letter);
    var newline = program.subtract(0, '\n').ifZero(full);
    last.into(newline.argument(0));
    program.goTo(restOfLine);
  }

  private void ends() {
    program.at(dropped);
    program.subtract(1, 0).into(lost);
    program.goTo(read);
    program.at(full);
    program.exit(FULL);
    program.at(end);
    program.exit(0);
  }

  /// Adds two words, by address, and stores the sum.
  private void add(long one, long other, long sum) {
    var first = program.load(one);
    var second = program.load(other);
    var negated = program.subtract(0, 0);
    second.into(negated.argument(1));
    var result = program.subtract(0, 0).into(sum);
    first.into(result.argument(0));
    negated.into(result.argument(1));
  }
}
