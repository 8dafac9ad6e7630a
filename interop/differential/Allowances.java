package differential;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The differences that are known, each with its reason.
public final class Allowances {
  private final List<Allowance> all = new ArrayList<>();

  public Allowances(Path file) throws IOException {
    int number = 0;
    for (var line : Files.readAllLines(file)) {
      number++;
      if (line.isBlank() || line.startsWith("#")) continue;
      var words = line.split(" \\| ", 3);
      if (words.length < 3) throw new IllegalStateException(file + ": no reason: " + line);
      all.add(
          new Allowance(
              Pattern.compile(words[0].strip()), Pattern.compile(words[1].strip()), number));
    }
  }

  /// @param title of the row: `file: title`
  public boolean allow(String title, Difference difference) {
    boolean found = false;
    for (var allowance : all)
      if (allowance.row.matcher(title).find()
          && allowance.path.matcher(difference.path()).matches()) {
        allowance.used = true;
        found = true;
      }
    return found;
  }

  /// The lines of the file that nothing differs by any more.
  public List<Integer> unused() {
    return all.stream().filter(each -> !each.used).map(each -> each.line).toList();
  }

  private static final class Allowance {
    final Pattern row;
    final Pattern path;
    final int line;
    boolean used;

    Allowance(Pattern row, Pattern path, int line) {
      this.row = row;
      this.path = path;
      this.line = line;
    }
  }
}
