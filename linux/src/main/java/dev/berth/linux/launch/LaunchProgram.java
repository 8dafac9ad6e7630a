package dev.berth.linux.launch;

import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.SystemCall;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// System calls in the order in which a process is to make them, and what they work on: texts,
/// words, room for answers. A step goes on with the one that is added next unless it says
/// otherwise; its result may become an argument of another.
///
/// The bytes are for [Launcher], at a fixed address, on a machine like this one.
public final class LaunchProgram {
  static final long ADDRESS = 0x1000_0000L;
  static final int STEP = 96;

  /// Where results go that nobody wants: the word behind the first step.
  private static final long UNUSED = ADDRESS + STEP;

  private static final int MOST = 15 << 20;
  private static final long SUBTRACT = -1;
  private static final long LOAD = -2;
  private static final int ARGUMENTS = 8;
  private static final int RESULT = 56;
  private static final int NEGATIVE = 64;
  private static final int ZERO = 72;
  private static final int POSITIVE = 80;

  private ByteBuffer memory = ByteBuffer.allocate(64 << 10).order(ByteOrder.LITTLE_ENDIAN);
  private final List<Integer> loose = new ArrayList<>();
  private final List<Place> here = new ArrayList<>();
  private final List<Complaint> complaints = new ArrayList<>();
  private long complainTo = 2;
  private int complaintExit = 1;

  /// A place that steps lead to, before or after it is known where it is.
  public static final class Place {
    private final List<Integer> ways = new ArrayList<>();
    private long address;
  }

  /// A call that must succeed and did not.
  private record Complaint(Place place, String attempt, long result, long to, int exit) {}

  /// Where it is said what an error means.
  private record Sentence(Place place, Errno errno) {
    String text() {
      return "%s (%s)\n".formatted(errno.meaning(), errno);
    }
  }

  public LaunchProgram() {
    subtract(0, 0); // where the launcher begins
    words(0); // at UNUSED
  }

  /// One call, added already.
  public final class Step {
    private final int at;

    private Step(int at) {
      this.at = at;
    }

    /// Where argument `index` (from 0) stands: a result stored there is used when this step's turn
    /// comes.
    public long argument(int index) {
      return ADDRESS + at + ARGUMENTS + 8L * index;
    }

    /// Stores the result, a word, at an address.
    public Step into(long address) {
      memory.putLong(at + RESULT, address);
      return this;
    }

    public Step ifNegative(Place place) {
      return lead(NEGATIVE, place);
    }

    public Step ifZero(Place place) {
      return lead(ZERO, place);
    }

    public Step ifPositive(Place place) {
      return lead(POSITIVE, place);
    }

    private Step lead(int way, Place place) {
      loose.remove((Integer) (at + way));
      refer(at + way, place);
      return this;
    }
  }

  /// Where calls that fail from here on complain, and with which code the process ends then.
  public void complain(int descriptor, int exitCode) {
    complainTo = descriptor;
    complaintExit = exitCode;
  }

  /// A call without which nothing goes on: if it fails, `attempt` and why is written and the
  /// process ends.
  public Step must(String attempt, SystemCall call, long... arguments) {
    var step = step(call.number(), arguments);
    var place = new Place();
    step.ifNegative(place);
    complaints.add(
        new Complaint(place, attempt, ADDRESS + step.at + RESULT, complainTo, complaintExit));
    return step;
  }

  /// A call that may fail.
  public Step may(SystemCall call, long... arguments) {
    return step(call.number(), arguments);
  }

  /// Both are words.
  public Step subtract(long from, long what) {
    return step(SUBTRACT, from, what);
  }

  /// The word at an address, which need not be a multiple of anything.
  public Step load(long address) {
    return step(LOAD, address);
  }

  /// Ends the process; nothing follows.
  public Step exit(int code) {
    var exit = step(SystemCall.EXIT_GROUP.number(), code);
    loose.clear();
    return exit;
  }

  /// The step that is added next is this place.
  public void at(Place place) {
    here.add(place);
  }

  /// What was added last leads there.
  public void goTo(Place place) {
    loose.forEach(way -> refer(way, place));
    loose.clear();
  }

  /// @return address of the text, which ends with a zero byte as the kernel wants it
  public long text(String text) {
    if (text.indexOf('\0') >= 0)
      throw new IllegalArgumentException("a text for the kernel holds a zero byte");
    return bytes((text + '\0').getBytes(StandardCharsets.UTF_8));
  }

  /// @return address of the addresses of the texts, with a zero word behind them, as execve(2) has
  ///   it
  public long texts(List<String> texts) {
    var addresses = new long[texts.size() + 1];
    for (int i = 0; i < texts.size(); i++) addresses[i] = text(texts.get(i));
    return words(addresses);
  }

  /// @return address of the first of them
  public long words(long... words) {
    var bytes = ByteBuffer.allocate(8 * words.length).order(ByteOrder.LITTLE_ENDIAN);
    for (long word : words) bytes.putLong(word);
    return bytes(bytes.array());
  }

  /// @return address of the first of them
  public long bytes(byte... bytes) {
    int at = reserve(bytes.length);
    memory.put(at, bytes);
    return ADDRESS + at;
  }

  /// The whole. Nothing may be added afterwards.
  public byte[] finish() {
    if (!loose.isEmpty() || !here.isEmpty())
      throw new IllegalStateException("the program does not end with exit or goTo");
    var reason = new Place();
    var write = new Place();
    at(write);
    var said = may(SystemCall.WRITE, 0, 0, 0);
    var exit = exit(0);
    var number = reasons(reason, said, write);
    for (var complaint : complaints) {
      at(complaint.place());
      // first, for the next result may go to the same place
      var stored = load(complaint.result());
      var result = load(0);
      stored.into(result.argument(0));
      result.into(number.argument(0));
      var attempt = (complaint.attempt() + ": ").getBytes(StandardCharsets.UTF_8);
      may(SystemCall.WRITE, complaint.to(), bytes(attempt), attempt.length);
      subtract(complaint.to(), 0).into(said.argument(0));
      subtract(complaint.exit(), 0).into(exit.argument(0));
      goTo(reason);
    }
    return Arrays.copyOf(memory.array(), memory.position());
  }

  /// Finds the words for an error by subtracting one number after the other, the smallest first.
  private Step reasons(Place begin, Step said, Place write) {
    at(begin);
    var number = subtract(0, 0);
    var last = number;
    int before = 0;
    var sentences = new ArrayList<Sentence>();
    var known = new ArrayList<>(List.of(Errno.values()));
    known.remove(Errno.UNNAMED);
    known.sort(Comparator.comparingInt(Errno::number));
    for (var errno : known) {
      var sentence = new Sentence(new Place(), errno);
      sentences.add(sentence);
      var next = subtract(0, before - errno.number()).ifZero(sentence.place());
      last.into(next.argument(0));
      before = errno.number();
      last = next;
    }
    var other = new Sentence(new Place(), Errno.UNNAMED);
    goTo(other.place());
    sentences.add(other);
    for (var sentence : sentences) {
      at(sentence.place());
      var text = sentence.text().getBytes(StandardCharsets.UTF_8);
      subtract(bytes(text), 0).into(said.argument(1));
      subtract(text.length, 0).into(said.argument(2));
      goTo(write);
    }
    return number;
  }

  private Step step(long call, long... arguments) {
    int at = reserve(STEP);
    memory.putLong(at, call);
    for (int i = 0; i < arguments.length; i++) memory.putLong(at + ARGUMENTS + 8 * i, arguments[i]);
    memory.putLong(at + RESULT, UNUSED);
    loose.forEach(way -> memory.putLong(way, ADDRESS + at));
    loose.clear();
    loose.addAll(List.of(at + NEGATIVE, at + ZERO, at + POSITIVE));
    for (var place : here) {
      place.address = ADDRESS + at;
      place.ways.forEach(way -> memory.putLong(way, place.address));
    }
    here.clear();
    return new Step(at);
  }

  private void refer(int way, Place place) {
    if (place.address == 0) place.ways.add(way);
    else memory.putLong(way, place.address);
  }

  private int reserve(int bytes) {
    int at = (memory.position() + 7) & -8;
    int end = at + bytes;
    if (end > MOST)
      throw new IllegalArgumentException("arguments and environment are longer than 15 MiB");
    if (end > memory.capacity()) {
      var larger = ByteBuffer.allocate(Math.max(end, 2 * memory.capacity()));
      larger.order(ByteOrder.LITTLE_ENDIAN).put(0, memory.array());
      memory = larger;
    }
    memory.position(end);
    return at;
  }
}
