// Computes a witness with a circom 2 circuit in WebAssembly: node -e THIS -- CIRCUIT.wasm INPUT.json OUTPUT.wtns
'use strict';
const fs = require('fs');

// Signals are known to the circuit by the FNV-1a hash of their names.
function signalHash(name) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of Buffer.from(name, 'utf8')) {
    hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  }
  return [Number(hash >> 32n), Number(hash & 0xffffffffn)];
}

function flatten(value, out) {
  if (Array.isArray(value)) {
    for (const element of value) {
      flatten(element, out);
    }
  } else if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new Error('number ' + value + ' is not exact: write it as a string');
  } else {
    out.push(BigInt(value));
  }
  return out;
}

// Names as circom 2 knows them: members of buses and nested objects are joined with dots.
function collectSignals(prefix, value, signals) {
  const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
  if (!isObject) {
    signals.push([prefix, flatten(value, [])]);
    return signals;
  }
  for (const [key, member] of Object.entries(value)) {
    collectSignals(prefix === '' ? key : prefix + '.' + key, member, signals);
  }
  return signals;
}

class Circuit {
  constructor(bytes) {
    this.printed = '';
    const fail = (code) => {
      const reasons = {1: 'signal not found', 2: 'too many signals set', 3: 'signal already set',
        4: 'assert failed', 5: 'not enough memory', 6: 'input signal array access exceeds the size'};
      throw new Error((reasons[code] || 'error ' + code) + (this.printed ? ': ' + this.printed.trim() : ''));
    };
    const print = () => {
      this.printed = (this.printed + this.message()).slice(-2000);
    };
    const module = new WebAssembly.Module(bytes);
    this.exports = new WebAssembly.Instance(module, {runtime: {
      exceptionHandler: fail, printErrorMessage: print, writeBufferMessage: print, showSharedRWMemory() {}}}).exports;
    this.exports.init(1);
    this.words = this.exports.getFieldNumLen32();
    this.exports.getRawPrime();
    this.prime = this.readNumber();
  }

  message() {
    let text = '';
    for (let c = this.exports.getMessageChar(); c !== 0; c = this.exports.getMessageChar()) {
      text += String.fromCharCode(c);
    }
    return text;
  }

  readNumber() {
    let value = 0n;
    for (let i = this.words - 1; i >= 0; --i) {
      value = (value << 32n) | BigInt(this.exports.readSharedRWMemory(i) >>> 0);
    }
    return value;
  }

  setSignal(name, values) {
    const [high, low] = signalHash(name);
    const size = this.exports.getInputSignalSize(high, low);
    if (size < 0) {
      throw new Error('the circuit has no input ' + name);
    }
    if (size !== values.length) {
      throw new Error('input ' + name + ': expected ' + size + ' values, found ' + values.length);
    }
    values.forEach((value, position) => {
      let rest = ((value % this.prime) + this.prime) % this.prime;
      for (let i = 0; i < this.words; ++i) {
        this.exports.writeSharedRWMemory(i, Number(rest & 0xffffffffn));
        rest >>= 32n;
      }
      this.exports.setInputSignal(high, low, position);
    });
    return values.length;
  }

  witness() {
    const count = this.exports.getWitnessSize();
    const bytesEach = this.words * 4;
    const file = Buffer.alloc(12 + 12 + 4 + bytesEach + 4 + 12 + count * bytesEach);
    let at = file.write('wtns', 'latin1');
    const u32 = (value) => { at = file.writeUInt32LE(value, at); };
    const u64 = (value) => { at = file.writeBigUInt64LE(BigInt(value), at); };
    u32(2), u32(2);
    u32(1), u64(4 + bytesEach + 4), u32(bytesEach);
    this.exports.getRawPrime();
    for (let i = 0; i < this.words; ++i) {
      u32(this.exports.readSharedRWMemory(i) >>> 0);
    }
    u32(count);
    u32(2), u64(count * bytesEach);
    for (let index = 0; index < count; ++index) {
      this.exports.getWitness(index);
      for (let i = 0; i < this.words; ++i) {
        u32(this.exports.readSharedRWMemory(i) >>> 0);
      }
    }
    return file;
  }
}

try {
  const [wasm, input, output] = process.argv.slice(-3);
  const circuit = new Circuit(fs.readFileSync(wasm));
  let given = 0;
  for (const [name, values] of collectSignals('', JSON.parse(fs.readFileSync(input, 'utf8')), [])) {
    given += circuit.setSignal(name, values);
  }
  if (given < circuit.exports.getInputSize()) {
    throw new Error('expected ' + circuit.exports.getInputSize() + ' input values, found ' + given);
  }
  fs.writeFileSync(output, circuit.witness());
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
