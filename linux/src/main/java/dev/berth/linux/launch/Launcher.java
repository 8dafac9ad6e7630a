package dev.berth.linux.launch;

import dev.berth.linux.sys.SystemCall;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;

/// The program that carries out [LaunchProgram]s: a static executable of one page that maps the
/// program from descriptor 3, closes that and makes one system call after the other. It is the same
/// file for every program, and small enough to be read here.
///
/// A step is twelve words: which call (-1: subtract the second argument from the first; -2: load
/// the word at the first argument), six arguments, where the result goes, and where to go on if the
/// result is negative, zero or positive; the twelfth is free.
public final class Launcher {
  private static final long BASE = 0x400000;
  private static final long SCRATCH = 0x402000;
  private static final int CODE = 0x100;
  private static final int STEPS = 0x200;
  private static final int SIZE = 0x400;
  private static final int PAGE = 0x1000;
  private static final long MOST = 16 << 20;

  private static final byte[] X86_64 =
      HexFormat.of()
          .parseHex(
              "bb00024000" //       mov  ebx, 0x400200    the first step
                  + "488b03" //     mov  rax, [rbx]       step:
                  + "488b7b08" //   mov  rdi, [rbx+8]
                  + "488b7310" //   mov  rsi, [rbx+16]
                  + "488b5318" //   mov  rdx, [rbx+24]
                  + "4c8b5320" //   mov  r10, [rbx+32]
                  + "4c8b4328" //   mov  r8, [rbx+40]
                  + "4c8b4b30" //   mov  r9, [rbx+48]
                  + "4883f8ff" //   cmp  rax, -1
                  + "7427" //       je   subtract
                  + "4883f8fe" //   cmp  rax, -2
                  + "7429" //       je   load
                  + "0f05" //       syscall
                  + "488b4b38" //   mov  rcx, [rbx+56]    done:
                  + "488901" //     mov  [rcx], rax
                  + "488d4b40" //   lea  rcx, [rbx+64]
                  + "4885c0" //     test rax, rax
                  + "780a" //       js   go
                  + "488d4b48" //   lea  rcx, [rbx+72]
                  + "7404" //       je   go
                  + "488d4b50" //   lea  rcx, [rbx+80]
                  + "488b19" //     mov  rbx, [rcx]       go:
                  + "ebb8" //       jmp  step
                  + "4889f8" //     mov  rax, rdi         subtract:
                  + "4829f0" //     sub  rax, rsi
                  + "ebd9" //       jmp  done
                  + "488b07" //     mov  rax, [rdi]       load:
                  + "ebd4"); //     jmp  done

  private static final byte[] ARM64 =
      HexFormat.of()
          .parseHex(
              "13030058" //         ldr  x19, first
                  + "680240f9" //   ldr  x8, [x19]        step:
                  + "608640a9" //   ldp  x0, x1, [x19, 8]
                  + "628e41a9" //   ldp  x2, x3, [x19, 24]
                  + "649642a9" //   ldp  x4, x5, [x19, 40]
                  + "1f0500b1" //   cmn  x8, 1
                  + "c0010054" //   b.eq subtract
                  + "1f0900b1" //   cmn  x8, 2
                  + "c0010054" //   b.eq load
                  + "010000d4" //   svc  0
                  + "691e40f9" //   ldr  x9, [x19, 56]    done:
                  + "200100f9" //   str  x0, [x9]
                  + "69020191" //   add  x9, x19, 64
                  + "1f0000f1" //   cmp  x0, 0
                  + "8b000054" //   b.lt go
                  + "69220191" //   add  x9, x19, 72
                  + "40000054" //   b.eq go
                  + "69420191" //   add  x9, x19, 80
                  + "330140f9" //   ldr  x19, [x9]        go:
                  + "eeffff17" //   b    step
                  + "000001cb" //   sub  x0, x0, x1       subtract:
                  + "f5ffff17" //   b    done
                  + "000040f9" //   ldr  x0, [x0]         load:
                  + "f3ffff17" //   b    done
                  + "0002400000000000"); //               first: 0x400200

  private static final Set<PosixFilePermission> ONLY_ROOT =
      PosixFilePermissions.fromString("rwx------");

  private Launcher() {}

  /// Puts the file in place, for root alone to run. One that is there is replaced and not written
  /// to: containers may run it. One that is as it should be stays: a full disk has no room for
  /// another, and containers have to be ended there too.
  public static void writeTo(Path file) throws IOException {
    var wanted = executable(System.getProperty("os.arch").equals("aarch64"));
    if (holds(file, wanted)) return;
    var fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    Files.createFile(fresh, PosixFilePermissions.asFileAttribute(ONLY_ROOT));
    Files.write(fresh, wanted);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static boolean holds(Path file, byte[] wanted) throws IOException {
    return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        && Files.getPosixFilePermissions(file).equals(ONLY_ROOT)
        && Arrays.equals(Files.readAllBytes(file), wanted);
  }

  /// An ELF file of headers, code and the steps that everything begins with.
  static byte[] executable(boolean arm64) {
    var file = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
    file.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1}).position(16);
    file.putShort((short) 2); // an executable at fixed addresses
    file.putShort((short) (arm64 ? 183 : 62));
    file.putInt(1).putLong(BASE + CODE).putLong(64).putLong(0).putInt(0);
    file.putShort((short) 64).putShort((short) 56).putShort((short) 3).position(64);
    segment(file, 1, 5, BASE, SIZE, SIZE); // read and run
    segment(file, 1, 6, SCRATCH, 0, PAGE); // read and write
    segment(file, 0x6474e551, 6, 0, 0, 0); // the stack is not for running
    file.position(CODE).put(arm64 ? ARM64 : X86_64);
    firstSteps(file.position(STEPS));
    return file.array();
  }

  private static void segment(
      ByteBuffer file, int type, int rights, long address, long inFile, long inMemory) {
    file.putInt(type).putInt(rights).putLong(0).putLong(address).putLong(address);
    file.putLong(inFile).putLong(inMemory).putLong(PAGE);
  }

  private static void firstSteps(ByteBuffer file) {
    long close = BASE + STEPS + LaunchProgram.STEP;
    long giveUp = close + LaunchProgram.STEP;
    long first = LaunchProgram.ADDRESS;
    long readAndWrite = 3;
    long privateAndFixed = 0x12;
    step(file, SystemCall.MMAP, first, MOST, readAndWrite, privateAndFixed, 3, giveUp, close);
    step(file, SystemCall.CLOSE, 3, 0, 0, 0, 0, first, first);
    step(file, SystemCall.EXIT_GROUP, 125, 0, 0, 0, 0, giveUp, giveUp);
  }

  private static void step(
      ByteBuffer file,
      SystemCall call,
      long a,
      long b,
      long c,
      long d,
      long e,
      long failed,
      long done) {
    file.putLong(call.number()).putLong(a).putLong(b).putLong(c).putLong(d).putLong(e).putLong(0);
    file.putLong(SCRATCH).putLong(failed).putLong(done == failed ? done : failed);
    file.putLong(done).putLong(0);
  }
}
