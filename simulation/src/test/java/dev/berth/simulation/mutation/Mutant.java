package dev.berth.simulation.mutation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/// All classes of this project once more, some of them compiled from other sources.
final class Mutant extends ClassLoader {
  private static final String OURS = "dev.berth.";

  private final Map<String, byte[]> changed;

  private Mutant(Map<String, byte[]> changed) {
    super(Mutant.class.getClassLoader());
    this.changed = Map.copyOf(changed);
  }

  /// Nothing is another.
  static Mutant none() {
    return new Mutant(Map.of());
  }

  /// @param name of the source's class, with its package
  /// @throws IllegalArgumentException if it does not compile, with what the compiler says
  static Mutant of(String name, String source) throws IOException {
    var compiler = ToolProvider.getSystemJavaCompiler();
    var messages = new DiagnosticCollector<JavaFileObject>();
    var written = new HashMap<String, ByteArrayOutputStream>();
    try (var files = new InMemory(compiler.getStandardFileManager(null, null, null), written)) {
      var options =
          List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"));
      var unit = new Text(name, source);
      if (!compiler.getTask(null, files, messages, options, null, List.of(unit)).call())
        throw new IllegalArgumentException(messages.getDiagnostics().toString());
    }
    var classes = new HashMap<String, byte[]>();
    written.forEach((each, bytes) -> classes.put(each, bytes.toByteArray()));
    return new Mutant(classes);
  }

  /// What the class does with a seed.
  LongConsumer times(String className) throws ReflectiveOperationException {
    return (LongConsumer) loadClass(className).getDeclaredConstructor().newInstance();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) return super.loadClass(name, resolve);
    synchronized (getClassLoadingLock(name)) {
      var loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try {
      var bytes = changed.containsKey(name) ? changed.get(name) : asItIs(name);
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException unreadable) {
      throw new ClassNotFoundException(name, unreadable);
    }
  }

  private byte[] asItIs(String name) throws IOException, ClassNotFoundException {
    try (InputStream stream = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (stream == null) throw new ClassNotFoundException(name);
      return stream.readAllBytes();
    }
  }

  private static final class Text extends SimpleJavaFileObject {
    private final String source;

    Text(String className, String source) {
      super(URI.create("string:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
      this.source = source;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return source;
    }
  }

  private static final class InMemory extends ForwardingJavaFileManager<StandardJavaFileManager> {
    private final Map<String, ByteArrayOutputStream> written;

    InMemory(StandardJavaFileManager files, Map<String, ByteArrayOutputStream> written) {
      super(files);
      this.written = written;
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        JavaFileManager.Location location,
        String className,
        JavaFileObject.Kind kind,
        FileObject sibling) {
      var bytes = new ByteArrayOutputStream();
      written.put(className, bytes);
      return new SimpleJavaFileObject(URI.create("memory:///" + className), kind) {
        @Override
        public OutputStream openOutputStream() {
          return bytes;
        }
      };
    }
  }
}
