package dev.berth.linux.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.linux.launch.LaunchProgram.Place;
import dev.berth.linux.sys.SystemCall;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchProgramTest {
  private static final long SIGCHLD = 17;

  @TempDir private Path directory;
  private final LaunchProgram program = new LaunchProgram();

  private record Outcome(int code, String said) {}

  private Outcome run() throws IOException, InterruptedException {
    var launcher = directory.resolve("launcher");
    Launcher.writeTo(launcher);
    var file = Files.write(directory.resolve("program"), program.finish());
    var process =
        new ProcessBuilder("sh", "-c", "exec \"$0\" 3<\"$1\"", launcher.toString(), file.toString())
            .redirectErrorStream(true)
            .start();
    var said = new String(process.getInputStream().readAllBytes());
    return new Outcome(process.waitFor(), said);
  }

  @Test
  void oneCallAfterTheOther() throws Exception {
    program.must("write", SystemCall.WRITE, 1, program.text("one "), 4);
    program.must("write", SystemCall.WRITE, 1, program.text("two"), 3);
    program.exit(7);
    assertThat(run()).isEqualTo(new Outcome(7, "one two"));
  }

  @Test
  void aProgramThatIsRunGetsItsArgumentsAndItsEnvironment() throws Exception {
    program.must(
        "run",
        SystemCall.EXECVE,
        program.text("/bin/sh"),
        program.texts(List.of("sh", "-c", "echo $1 $A; ls /proc/self/fd | tail -1", "sh", "x y")),
        program.texts(List.of("A=b c")));
    program.exit(0);
    assertThat(run()).isEqualTo(new Outcome(0, "x y b c\n3\n")); // 3 is what ls opens
  }

  @Test
  void whatFailsSaysWhatAndWhy() throws Exception {
    program.complain(1, 5);
    program.must("open the moon", SystemCall.OPENAT, -100, program.text("/moon"), 0, 0);
    program.exit(0);
    assertThat(run())
        .isEqualTo(new Outcome(5, "open the moon: no such file or directory (ENOENT)\n"));
  }

  @Test
  void anErrorWithoutANameIsAnErrorToo() throws Exception {
    program.must("describe a key", SystemCall.KEYCTL, 6, 0x7ffffff1, 0, 0); // ENOKEY
    program.exit(0);
    assertThat(run().said())
        .isEqualTo("describe a key: an error that Berth has no name for (UNNAMED)\n");
  }

  @Test
  void resultsBecomeArgumentsAndDecide() throws Exception {
    var parent = new Place();
    program.must("fork", SystemCall.CLONE, SIGCHLD).ifPositive(parent);
    program.may(SystemCall.WRITE, 1, program.text("child "), 6);
    program.exit(3);
    program.at(parent);
    long info = program.words(new long[16]);
    program.must("wait", SystemCall.WAITID, 0, 0, info, 4, 0);
    program.may(SystemCall.WRITE, 1, program.text("parent"), 6);
    var status = program.load(info + 24);
    var more = program.subtract(0, -40);
    status.into(more.argument(0));
    more.into(program.exit(0).argument(0));
    assertThat(run()).isEqualTo(new Outcome(43, "child parent"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noMemoryIsBothWrittenAndRun(boolean arm64) {
    var file = ByteBuffer.wrap(Launcher.executable(arm64)).order(ByteOrder.LITTLE_ENDIAN);
    int stack = 0x6474e551;
    var kinds = new ArrayList<Integer>();
    for (int segment = 0; segment < file.getShort(56); segment++) {
      int at = (int) file.getLong(32) + segment * file.getShort(54);
      int rights = file.getInt(at + 4);
      kinds.add(file.getInt(at));
      assertThat(rights & 3).as("write and run, of segment " + segment).isNotEqualTo(3);
    }
    assertThat(kinds).as("the stack is one of them").hasSize(3).contains(stack);
  }

  @Test
  void zeroBytesInTextsAreRefused() {
    assertThatThrownBy(() -> program.text("a\0b")).hasMessageContaining("zero byte");
  }

  @Test
  void bothProcessorsGetAFileOfTheirOwn() {
    assertThat(Launcher.executable(false)).hasSize(1024).isNotEqualTo(Launcher.executable(true));
  }
}
