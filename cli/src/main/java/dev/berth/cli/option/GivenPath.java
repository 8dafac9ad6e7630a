package dev.berth.cli.option;

import dev.berth.cli.Problem;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A path that came with an option. What is wrong with it is told by the option's name, and before
/// anything begins.
///
/// @param option such as `--log`
/// @param exitCode of the command if something is wrong
public record GivenPath(String option, Path path, int exitCode) {

  /// The file, which can be read.
  public Path file() {
    if (Files.notExists(path)) throw problem("there is no such file");
    if (Files.isDirectory(path)) throw problem("it is a folder, not a file");
    if (!Files.isReadable(path)) throw problem("it cannot be read");
    return path;
  }

  /// The folder, in which something can be made.
  public Path folder() {
    if (Files.notExists(path)) throw problem("there is no such folder");
    if (!Files.isDirectory(path)) throw problem("it is not a folder");
    if (!Files.isWritable(path)) throw problem("nothing can be made in it");
    return path.toAbsolutePath();
  }

  /// The file, which need not be there and can be written.
  public Path newFile() {
    if (Files.isDirectory(path)) throw problem("it is a folder, not a file");
    var folder = path.toAbsolutePath().resolveSibling("");
    if (!Files.isDirectory(folder)) throw problem("there is no folder " + folder);
    if (!Files.isWritable(Files.exists(path) ? path : folder))
      throw problem("it cannot be written");
    return path;
  }

  /// What stands in the file, in lines of `KEY=VALUE`; empty ones and those that begin with `#` say
  /// nothing. Values are taken as they stand, backslashes and all.
  ///
  /// @return in the order of the file
  public Map<String, String> pairs() {
    var pairs = new LinkedHashMap<String, String>();
    int number = 0;
    for (var line : lines()) {
      number++;
      if (line.isBlank() || line.stripLeading().startsWith("#")) continue;
      int equals = line.indexOf('=');
      var key = line.substring(0, Math.max(0, equals)).strip();
      // Nothing of the line is shown: it may be a secret.
      if (key.isEmpty()) throw problem("line %d is not KEY=VALUE".formatted(number));
      pairs.put(key, line.substring(equals + 1).stripLeading());
    }
    return pairs;
  }

  private List<String> lines() {
    try {
      return Files.readAllLines(file());
    } catch (CharacterCodingException e) {
      throw problem("it is not UTF-8 text");
    } catch (IOException e) {
      throw problem("it cannot be read: " + e.getMessage());
    }
  }

  private Problem problem(String why) {
    return new Problem("%s %s: %s".formatted(option, path, why), exitCode);
  }
}
