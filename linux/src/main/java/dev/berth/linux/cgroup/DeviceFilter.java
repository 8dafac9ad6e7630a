package dev.berth.linux.cgroup;

import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;

/// The program by which version 2 of control groups decides about devices: the kernel runs it at
/// each use, with what is to be used and how. It allows what one of its rules allows.
final class DeviceFilter {
  private static final long PROG_LOAD = 5;
  private static final long PROG_ATTACH = 8;
  private static final int CGROUP_DEVICE_PROGRAM = 15;
  private static final int CGROUP_DEVICE = 6;
  private static final int ALLOW_MULTI = 2;
  private static final int ATTRIBUTES = 128;

  private static final int LOAD_WORD = 0x61;
  private static final int MOVE = 0xbf;
  private static final int SET = 0xb7;
  private static final int AND = 0x57;
  private static final int SHIFT_RIGHT = 0x77;
  private static final int UNLESS_EQUAL = 0x55;
  private static final int UNLESS_SAME = 0x5d;
  private static final int EXIT = 0x95;

  private final ByteBuffer code = ByteBuffer.allocate(64 << 10).order(ByteOrder.LITTLE_ENDIAN);

  private DeviceFilter() {}

  /// Puts it on a group. It lives as long as the group.
  static void attach(Path group, List<DeviceRule> rules) {
    var code = new DeviceFilter().of(rules);
    try (var arena = Arena.ofConfined();
        var folder = Descriptor.open(group, Descriptor.O_RDONLY | Descriptor.O_DIRECTORY)) {
      var load = arena.allocate(ATTRIBUTES, 8);
      load.set(ValueLayout.JAVA_INT, 0, CGROUP_DEVICE_PROGRAM);
      load.set(ValueLayout.JAVA_INT, 4, code.length / 8);
      load.set(ValueLayout.JAVA_LONG, 8, copy(arena, code));
      load.set(ValueLayout.JAVA_LONG, 16, arena.allocateFrom("Apache-2.0").address());
      try (var program = new Descriptor(call("load a filter of devices", PROG_LOAD, load))) {
        var attach = arena.allocate(ATTRIBUTES, 8);
        attach.set(ValueLayout.JAVA_INT, 0, folder.number());
        attach.set(ValueLayout.JAVA_INT, 4, program.number());
        attach.set(ValueLayout.JAVA_INT, 8, CGROUP_DEVICE);
        attach.set(ValueLayout.JAVA_INT, 12, ALLOW_MULTI);
        call("filter the devices of " + group, PROG_ATTACH, attach);
      }
    }
  }

  private static long call(String attempt, long command, MemorySegment attributes) {
    return SystemCall.BPF.orThrow(() -> attempt, command, attributes.address(), ATTRIBUTES);
  }

  private static long copy(Arena arena, byte[] bytes) {
    var segment = arena.allocate(bytes.length, 8);
    segment.copyFrom(MemorySegment.ofArray(bytes));
    return segment.address();
  }

  /// Register 1 is where the question stands: use and kind in one word, then major, then minor.
  private byte[] of(List<DeviceRule> rules) {
    add(LOAD_WORD, 2, 1, 0, 0);
    add(MOVE, 3, 2, 0, 0);
    add(AND, 2, 0, 0, 0xffff); // kind
    add(SHIFT_RIGHT, 3, 0, 0, 16); // use
    add(LOAD_WORD, 4, 1, 4, 0);
    add(LOAD_WORD, 5, 1, 8, 0);
    rules.forEach(this::add);
    add(SET, 0, 0, 0, 0);
    add(EXIT, 0, 0, 0, 0);
    var bytes = new byte[code.position()];
    code.get(0, bytes);
    return bytes;
  }

  /// Each jump leads behind the rule, past what is left of its instructions.
  private void add(DeviceRule rule) {
    int left = rule.minor().isPresent() ? 7 : 6;
    add(UNLESS_EQUAL, 2, 0, left--, rule.kind().number());
    add(MOVE, 6, 3, 0, 0);
    left--;
    add(AND, 6, 0, 0, rule.bits());
    left--;
    add(UNLESS_SAME, 6, 3, left--, 0);
    add(UNLESS_EQUAL, 4, 0, left--, rule.major());
    if (rule.minor().isPresent()) add(UNLESS_EQUAL, 5, 0, left, rule.minor().getAsInt());
    add(SET, 0, 0, 0, 1);
    add(EXIT, 0, 0, 0, 0);
  }

  private void add(int operation, int to, int from, int jump, int value) {
    code.put((byte) operation).put((byte) (to | from << 4)).putShort((short) jump).putInt(value);
  }
}
