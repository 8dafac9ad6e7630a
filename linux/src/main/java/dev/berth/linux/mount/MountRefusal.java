package dev.berth.linux.mount;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What mount(2) means by its error numbers, and what the kernel knows beyond them (SYS-17).
final class MountRefusal {
  private static final long SET_FLAG = 0;
  private static final long SET_STRING = 1;
  private static final long CREATE = 6;
  private static final long NULL = 0;

  private MountRefusal() {}

  static Failure of(long negativeResult, String type, String source, MountOptions options) {
    var errno = Errno.of(negativeResult);
    return switch (errno) {
      case ENODEV -> new Failure.Unsupported(errno); // this kernel has no such file system
      case EINVAL, EUCLEAN, EBADMSG ->
          new Failure.Invalid(errno, kernelsWords(type, source, options));
      default -> Failure.of(negativeResult);
    };
  }

  /// Asks again through the newer calls, which leave a text where mount(2) has only a number.
  /// Nothing gets mounted: the attempt ends before. Empty if the kernel says nothing.
  private static String kernelsWords(String type, String source, MountOptions options) {
    try (var arena = Arena.ofConfined()) {
      long result = SystemCall.FSOPEN.invoke(arena.allocateFrom(type).address(), 1);
      if (result < 0) return "";
      try (var context = new Descriptor(result)) {
        configure(arena, context, source, options);
        return messages(arena, context);
      }
    }
  }

  private static void configure(
      Arena arena, Descriptor context, String source, MountOptions options) {
    if (set(arena, context, SET_STRING, "source", source) < 0) return;
    if (options.has(MountFlag.RO) && set(arena, context, SET_FLAG, "ro", null) < 0) return;
    for (var option : options.ofFileSystem()) {
      int equals = option.indexOf('=');
      long result =
          equals < 0
              ? set(arena, context, SET_FLAG, option, null)
              : set(
                  arena,
                  context,
                  SET_STRING,
                  option.substring(0, equals),
                  option.substring(equals + 1));
      if (result < 0) return;
    }
    SystemCall.FSCONFIG.invoke(context.number(), CREATE, NULL, NULL, 0);
  }

  private static long set(
      Arena arena, Descriptor context, long command, String key, @Nullable String value) {
    return SystemCall.FSCONFIG.invoke(
        context.number(),
        command,
        arena.allocateFrom(key).address(),
        value == null ? NULL : arena.allocateFrom(value).address(),
        0);
  }

  /// One message a read, each with a letter for its severity in front.
  private static String messages(Arena arena, Descriptor context) {
    var buffer = arena.allocate(1024);
    var messages = new ArrayList<String>();
    long length;
    while ((length = SystemCall.READ.invoke(context.number(), buffer.address(), 1023)) > 0) {
      buffer.set(JAVA_BYTE, length, (byte) 0);
      messages.add(buffer.getString(0).strip());
    }
    return messages.stream()
        .map(m -> m.replaceFirst("^[ewi] ", ""))
        .distinct()
        .collect(Collectors.joining("; "));
  }
}
