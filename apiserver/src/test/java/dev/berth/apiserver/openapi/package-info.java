@org.jspecify.annotations.NullMarked
package dev.berth.apiserver.openapi;
