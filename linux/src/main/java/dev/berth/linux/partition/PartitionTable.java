package dev.berth.linux.partition;

import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.OneAsker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32;

/// A GUID partition table (UEFI 2.10, section 5), written and read here: no kernel and no program
/// is needed for it.
///
/// @param deviceSize bytes
/// @param sector bytes of a logical block of the device
public record PartitionTable(long deviceSize, int sector, UUID disk, List<Partition> partitions) {
  private static final UUID LINUX_DATA = UUID.fromString("0fc63daf-8483-4772-8e79-3d69d8477de4");
  private static final byte[] SIGNATURE = "EFI PART".getBytes(StandardCharsets.US_ASCII);
  private static final int REVISION = 0x0001_0000;
  private static final int HEADER = 92;
  private static final int CHECKSUM_AT = 16;
  private static final int ENTRIES = 128;
  private static final int ENTRY = 128;
  private static final int NAME_AT = 56;
  private static final int NAME_BYTES = 72;
  private static final int MOST_ENTRIES = 1024;
  private static final int[] SECTORS = {512, 4096};

  /// Where partitions begin and end: a multiple of whatever a drive has inside.
  private static final long ALIGNMENT = 1L << 20;

  /// A device that hangs keeps one thread, and its own callers.
  private static final OneAsker<Path> ASKING = new OneAsker<>();

  public PartitionTable {
    partitions = List.copyOf(partitions);
  }

  /// A table with one partition, as large as the device allows.
  ///
  /// @throws IllegalArgumentException if the device is too small for one
  public static PartitionTable ofOne(long deviceSize, int sector, UUID uuid, String name) {
    long end = (lastUsable(deviceSize, sector) + 1) * sector / ALIGNMENT * ALIGNMENT;
    if (end <= ALIGNMENT)
      throw new IllegalArgumentException("a device of %d bytes is too small".formatted(deviceSize));
    var disk = UUID.nameUUIDFromBytes(("disk of " + uuid).getBytes(StandardCharsets.UTF_8));
    return new PartitionTable(
        deviceSize,
        sector,
        disk,
        List.of(new Partition(1, uuid, name, ALIGNMENT, end - ALIGNMENT)));
  }

  private static long entrySectors(int sector) {
    return (long) ENTRIES * ENTRY / sector;
  }

  private static long lastUsable(long deviceSize, int sector) {
    return deviceSize / sector - 2 - entrySectors(sector);
  }

  /// Writes it, so that who is killed on the way leaves no table behind: what makes it one, the
  /// block at the very beginning, comes last.
  public void write(Path device) {
    var attempt = "write a partition table to " + device;
    Boolean _ =
        ASKING.call(
            device,
            attempt,
            Blocking.CHANGE,
            () -> {
              writeHere(attempt, device);
              return true;
            });
  }

  private void writeHere(String attempt, Path device) {
    try (var channel =
        FileChannel.open(device, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long last = deviceSize / sector - 1;
      var entries = entries();
      put(channel, entries, (last - entrySectors(sector)) * sector);
      put(channel, header(last, 1, last - entrySectors(sector), entries), last * sector);
      put(channel, entries, 2L * sector);
      put(channel, header(1, last, 2, entries), sector);
      channel.force(true);
      put(channel, protection(), 0);
      channel.force(true);
    } catch (IOException e) {
      throw new LinuxException(attempt, new Failure.DeadMount(Errno.EIO));
    }
  }

  private static void put(FileChannel channel, ByteBuffer bytes, long at) throws IOException {
    var rest = bytes.duplicate();
    rest.rewind();
    while (rest.hasRemaining()) channel.write(rest, at + rest.position());
  }

  private ByteBuffer entries() {
    var all = little(ENTRIES * ENTRY);
    for (var partition : partitions) {
      int at = (partition.number() - 1) * ENTRY;
      putUuid(all, at, LINUX_DATA);
      putUuid(all, at + 16, partition.uuid());
      all.putLong(at + 32, partition.start() / sector);
      all.putLong(at + 40, (partition.start() + partition.length()) / sector - 1);
      var name = partition.name().getBytes(StandardCharsets.UTF_16LE);
      all.put(at + NAME_AT, name, 0, Math.min(name.length, NAME_BYTES));
    }
    return all;
  }

  private ByteBuffer header(long own, long other, long entriesAt, ByteBuffer entries) {
    var header = little(sector);
    header.put(0, SIGNATURE);
    header.putInt(8, REVISION);
    header.putInt(12, HEADER);
    header.putLong(24, own);
    header.putLong(32, other);
    header.putLong(40, 2 + entrySectors(sector));
    header.putLong(48, lastUsable(deviceSize, sector));
    putUuid(header, 56, disk);
    header.putLong(72, entriesAt);
    header.putInt(80, ENTRIES);
    header.putInt(84, ENTRY);
    header.putInt(88, checksum(entries, entries.capacity()));
    header.putInt(CHECKSUM_AT, checksum(header, HEADER));
    return header;
  }

  /// Tells programs that know no such table that all is taken.
  private ByteBuffer protection() {
    var block = little(sector);
    block.putInt(446, 0x0002_0000);
    block.putInt(450, 0xffff_ffee);
    block.putInt(454, 1);
    block.putInt(458, (int) Math.min(0xffff_ffffL, deviceSize / sector - 1));
    block.putShort(510, (short) 0xaa55);
    return block;
  }

  /// Reads the table of a device; empty: there is none, or none that is whole.
  ///
  /// @throws LinuxException if the device cannot be read
  public static Optional<PartitionTable> read(Path device) {
    var attempt = "read the partition table of " + device;
    return ASKING.call(device, attempt, Blocking.LOOK, () -> readHere(attempt, device));
  }

  private static Optional<PartitionTable> readHere(String attempt, Path device) {
    try (var channel = FileChannel.open(device, StandardOpenOption.READ)) {
      var first = get(channel, 0, 512);
      if (first.getShort(510) != (short) 0xaa55 || first.get(450) != (byte) 0xee)
        return Optional.empty();
      for (int sector : SECTORS) {
        var found = read(channel, sector);
        if (found.isPresent()) return found;
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new LinuxException(attempt, new Failure.DeadMount(Errno.EIO));
    }
  }

  private static Optional<PartitionTable> read(FileChannel channel, int sector) throws IOException {
    var header = get(channel, sector, sector);
    var signature = new byte[SIGNATURE.length];
    header.get(0, signature);
    if (!Arrays.equals(signature, SIGNATURE) || header.getInt(12) != HEADER)
      return Optional.empty();
    int told = header.getInt(CHECKSUM_AT);
    header.putInt(CHECKSUM_AT, 0);
    int count = header.getInt(80);
    if (checksum(header, HEADER) != told
        || header.getInt(84) != ENTRY
        || count < 1
        || count > MOST_ENTRIES) return Optional.empty();
    var entries = get(channel, header.getLong(72) * sector, count * ENTRY);
    if (checksum(entries, entries.capacity()) != header.getInt(88)) return Optional.empty();
    var partitions = new ArrayList<Partition>();
    for (int i = 0; i < count; i++) partition(entries, i, sector).ifPresent(partitions::add);
    return Optional.of(new PartitionTable(channel.size(), sector, uuid(header, 56), partitions));
  }

  private static Optional<Partition> partition(ByteBuffer entries, int index, int sector) {
    int at = index * ENTRY;
    if (uuid(entries, at).equals(new UUID(0, 0))) return Optional.empty();
    var name = new byte[NAME_BYTES];
    entries.get(at + NAME_AT, name);
    long start = entries.getLong(at + 32) * sector;
    return Optional.of(
        new Partition(
            index + 1,
            uuid(entries, at + 16),
            new String(name, StandardCharsets.UTF_16LE).replace("\0", ""),
            start,
            (entries.getLong(at + 40) + 1) * sector - start));
  }

  private static ByteBuffer get(FileChannel channel, long at, int length) throws IOException {
    var bytes = little(length);
    while (bytes.hasRemaining())
      if (channel.read(bytes, at + bytes.position()) < 0)
        throw new IOException("the device ends before its table");
    bytes.rewind();
    return bytes;
  }

  private static ByteBuffer little(int length) {
    return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int checksum(ByteBuffer bytes, int length) {
    var sum = new CRC32();
    sum.update(bytes.duplicate().rewind().limit(length));
    return (int) sum.getValue();
  }

  /// The first three parts are little-endian, the others as they are read.
  private static void putUuid(ByteBuffer into, int at, UUID uuid) {
    long high = uuid.getMostSignificantBits();
    into.putInt(at, (int) (high >>> 32));
    into.putShort(at + 4, (short) (high >>> 16));
    into.putShort(at + 6, (short) high);
    into.putLong(at + 8, Long.reverseBytes(uuid.getLeastSignificantBits()));
  }

  private static UUID uuid(ByteBuffer from, int at) {
    long high =
        (from.getInt(at) & 0xffff_ffffL) << 32
            | (from.getShort(at + 4) & 0xffffL) << 16
            | from.getShort(at + 6) & 0xffffL;
    return new UUID(high, Long.reverseBytes(from.getLong(at + 8)));
  }
}
